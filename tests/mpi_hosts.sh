#!/usr/bin/env bash
# motifsieve-mpi on several hosts: network namespaces, with one host name each, joined by a bridge; mpirun starts its ranks there
# by a script in place of ssh.  The same bytes; a host that is cut off costs the time-out.  Needs root, ip (iproute2), unshare and
# Open MPI 4.  Usage: tests/mpi_hosts.sh BUILD_FOLDER
set -u
# shellcheck source=tests/environment.sh
. "$(dirname "$0")/environment.sh"

cd "$(dirname "$0")/.." || exit 1
top=$PWD
build=$(realpath "${1:-build}")
tool=$build/motifsieve-mpi
alone=$build/motifsieve
work=$(mktemp -d "${TMPDIR:-/tmp}/motifsieve-hosts-XXXXXX")
name=ms$$ # of the namespaces and their devices
hosts=3
export MOTIFSIEVE_CUDA=0 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
# shellcheck source=tests/checks.sh
. tests/checks.sh
excerpt=(head -n 12)
errors=$work/err
# ends what was started in the namespaces of this test, and removes them
clean_up() {
  local i pid
  for i in $(seq $hosts); do
    for pid in $(ip netns pids "${name}h$i" 2>/dev/null); do
      kill -KILL "$pid" 2>/dev/null
    done
    ip netns del "${name}h$i" 2>/dev/null
  done
  ip link del "${name}b" 2>/dev/null
  rm -rf "$work"
}
trap clean_up EXIT

# ---- hosts ---------------------------------------------------------------------------------------
make_hosts() {
  local i
  ip link add "${name}b" type bridge && ip link set "${name}b" up || return
  for i in $(seq $hosts); do
    ip netns add "${name}h$i" && ip link add "${name}v$i" type veth peer name eth0 netns "${name}h$i" &&
      ip link set "${name}v$i" master "${name}b" up && ip -n "${name}h$i" addr add "10.213.77.$i/24" dev eth0 &&
      ip -n "${name}h$i" link set eth0 up && ip -n "${name}h$i" link set lo up || return
  done
}
[ -x "$tool" ] || skip_rest 'there is no motifsieve-mpi, which make MPI=1 builds'
ldd "$tool" | grep -q 'libmpi\.so' || skip_rest 'it is not Open MPI that the tool was built with'
mpirun=$(command -v mpirun.openmpi || command -v mpirun)
[ -n "$mpirun" ] && "$mpirun" --version | grep -q ' 4\.' || skip_rest 'there is no mpirun of Open MPI 4'
[ "$(id -u)" = 0 ] || skip_rest 'only root can make network namespaces'
command -v ip >/dev/null && command -v unshare >/dev/null || skip_rest 'there is no ip or no unshare (iproute2, util-linux)'
make_hosts 2>"$work/err" || skip_rest "network namespaces cannot be made: $(head -n 1 "$work/err")"

# mpirun calls this in place of ssh: HOST COMMAND...
cat >"$work/agent" <<END
#!/bin/sh
node=${name}h\${1##*.}
shift
exec ip netns exec \$node unshare --uts sh -c 'hostname \$1; shift; exec sh -c "\$*"' sh \$node "\$@"
END
# mpirun on the first host
cat >"$work/mpirun" <<END
#!/bin/sh
exec ip netns exec ${name}h1 unshare --uts sh -c 'hostname ${name}h1; exec "\$@"' sh "$mpirun" --quiet --mca plm_rsh_agent "$work/agent" \\
  --mca btl self,vader,tcp --mca btl_vader_single_copy_mechanism none --mca btl_tcp_if_include eth0 --mca oob_tcp_if_include eth0 \\
  --host 10.213.77.1:2,10.213.77.2:1,10.213.77.3:1 "\$@"
END
chmod +x "$work/agent" "$work/mpirun"
cd "$work" || exit 1
# shellcheck source=tests/mpi/losses.sh
. "$top/tests/mpi/losses.sh"

# ---- the same bytes --------------------------------------------------------------------------------
"$alone" gen power-law -n 500 --exponent -1 --edges 2000 --uniform-colors 4 --colors-out c.tsv -o g.tsv -q
timeout -k 5 $limit ./mpirun -n 4 "$tool" --places >out 2>err </dev/null
check 'four ranks are on three hosts' test "$(cut -f2 out | tail -n 4 | tr '\n' ' ')" = "${name}h1 ${name}h1 ${name}h2 ${name}h3 "
"$alone" census g.tsv -c c.tsv -k 4 -t 1 -q -o census.tsv
timeout -k 5 $limit ./mpirun -n 4 "$tool" census g.tsv -c c.tsv -k 4 -t 1 -q -o out.tsv >out 2>err </dev/null
check 'a census on three hosts: the same bytes' cmp out.tsv census.tsv
"$alone" match g.tsv path:4 --engine cpu --screen never -t 1 -q -o rows.tsv
timeout -k 5 $limit ./mpirun -n 4 "$tool" match g.tsv path:4 -t 1 -q -o out.tsv >out 2>err </dev/null
check 'rows on three hosts: the same bytes' cmp out.tsv rows.tsv

# ---- a host that is cut off ------------------------------------------------------------------------
ranks_here() { ip netns pids "${name}h3"; }
cut_off() { ip link set "${name}v3" down; }
make_run 3
saving=()
cat >together <<END
#!/bin/sh
# begins with all hosts, also after an attempt that came too late
ip link set ${name}v3 up
exec "$tool" --ranks 4 --mpirun "$work/mpirun" --rank-timeout 4 "\$@"
END
chmod +x together
lose cut_off 'has not answered' 3 ./together
check 'a host is cut off: the run ends' test "$rc" -eq 0
check 'a host is cut off: the same bytes' cmp lost.tsv big.tsv
check 'a host is cut off: a warning names the rank and the host' grep -q "warning: rank 3 on ${name}h3 has not answered" err
finish
