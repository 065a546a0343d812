# Every command's help goes to standard output with an example, the version is a number, and info
# tells its facts: 9 ways to ask, 7 commands.
# shellcheck shell=bash disable=SC2034,SC2086,SC2154

for args in --help -h help 'screen --help' 'list -h' 'verify --help' 'info --help' 'bench --help' \
  'help list'; do
  exits 0 "help [$args]" $args
  check "help [$args] on stdout" test -s out
  check "help [$args] not on stderr" test ! -s err
done
for command in screen list verify stats components gen; do
  call $command --help
  check "$command --help has an example" grep -q '^Example' out
done
call info --help
check 'no blank at the end of a usage line' bash -c '! grep -q "^Usage.* $" out'
exits 0 version --version
check 'version' grep -Eq '^motifsieve [0-9]+\.[0-9]+\.[0-9]+$' out
exits 0 info info
for fact in version processor threads memory arithmetic accelerators; do
  check "info tells $fact" grep -q "^$fact" out
done
