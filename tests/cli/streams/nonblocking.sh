# Standard streams that another program has set to non-blocking, and whose other end is slow: nothing is lost or doubled.
# shellcheck shell=bash disable=SC2034,SC2086,SC2154

if ! command -v python3 >/dev/null; then
  skip 'non-blocking streams: there is no python3'
  return
fi
# A program that runs a command with non-blocking pipes for all three streams.  It writes the file `given`
# slowly to standard input, and reads the other two slowly into `got` and `errors`.
cat >slow.py <<'END'
import fcntl, os, subprocess, sys, threading, time
pipes = [os.pipe() for _ in range(3)]
for ends in pipes:
    fcntl.fcntl(ends[1], fcntl.F_SETPIPE_SZ, 4096)
    for end in ends:
        os.set_blocking(end, False)
tool = subprocess.Popen(sys.argv[1:], stdin=pipes[0][0], stdout=pipes[1][1], stderr=pipes[2][1])
for end in pipes[0][0], pipes[1][1], pipes[2][1]:
    os.close(end)
def feed():
    data = open('given', 'rb').read()
    os.set_blocking(pipes[0][1], True)
    time.sleep(0.1)
    try:
        for at in range(0, len(data), 5000):
            os.write(pipes[0][1], data[at:at + 5000])
            time.sleep(0.0005)
    except BrokenPipeError:
        pass
    os.close(pipes[0][1])
def drain(end, name):
    os.set_blocking(end, True)
    time.sleep(0.1)
    with open(name, 'wb') as out:
        while part := os.read(end, 3000):
            out.write(part)
            time.sleep(0.0005)
jobs = [threading.Thread(target=feed), threading.Thread(target=drain, args=(pipes[1][0], 'got')),
        threading.Thread(target=drain, args=(pipes[2][0], 'errors'))]
for job in jobs:
    job.start()
for job in jobs:
    job.join()
sys.exit(tool.wait())
END
big_graph
: >given
slowly() {
  local name=$1
  shift
  check "$name: status" timeout -k 20 600 python3 slow.py "$motifsieve" "$@"
  check "$name: the same output" cmp want got
}
for line in 'list --help=all' 'help --completion bash' 'help --man list' 'match big.tsv path:3' 'match big.tsv path:3 --json' \
  'screen big.tsv -c bigc.tsv -m c1,c2 --all' 'convert big.tsv --to sif' 'gen er -n 2000 -d 4 --to edge-list'; do
  "$motifsieve" $line >want 2>errors.want
  slowly "$line" $line
  check "$line: the same messages" cmp errors.want errors
done
cp big.tsv given
"$motifsieve" convert big.tsv --to sif >want
slowly 'a graph from a slow reader' convert - --to sif
gzip -c big.tsv >given
slowly 'packed' convert - --to sif
# messages of more than a pipe holds
"$motifsieve" bogus-"$(printf 'x%.0s' {1..900})" 2>errors.want
timeout -k 20 600 python3 slow.py "$motifsieve" bogus-"$(printf 'x%.0s' {1..900})"
check 'a long message' cmp errors.want errors
