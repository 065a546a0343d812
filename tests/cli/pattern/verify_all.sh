# What list wrote is verified in each encoding, for all semantics and kinds of inputs, and
# incomplete and damaged results are told apart; the commands' help tells of patterns.
# shellcheck shell=bash disable=SC2034,SC2086,SC2154

for form in '' --json --binary; do
  for semantics in '' --embeddings --induced '--embeddings --induced'; do
    for inputs in '-p house' '-p path.tsv' '-p path.tsv --directed' '-p path.tve -c c.tsv' \
      '-p path.tsv --pattern-colors path_colors.tsv -c c.tsv' '-p path.tve -c c.tsv --screen always'; do
      given=${inputs/ --directed/}
      given=${given/ --screen always/}
      exits 0 "list for verify [$inputs]" list g.tsv $inputs $form $semantics -o result
      exits 0 "verify [$inputs $form $semantics]" verify result g.tsv $given
      check "verify recounts [$inputs $form $semantics]" grep -q '^recount.complete$' out
    done
  done
  exits 4 "list with a limit $form" list k5.tsv -p triangle --limit 3 $form -o result
  exits 0 "verify of an incomplete result $form" verify result k5.tsv -p triangle
  check "an incomplete result is not recounted $form" grep -q '^recount.not done$' out
  refuses 2 'give it with --pattern triangle' verify result k5.tsv
  refuses 3 "the built-in 'triangle', not path:3" verify result k5.tsv -p path:3
  printf 'x' | dd of=result bs=1 seek=150 conv=notrunc 2>/dev/null
  refuses 3 'changed or damaged' verify result k5.tsv -p triangle
done

for command in list plan verify; do
  exits 0 "$command --help" $command --help
  check "$command --help tells of --pattern" grep -q -- '--pattern PATTERN' out
done
call help --man plan
check 'plan has a manual' grep -q '^\.TH MOTIFSIEVE.-PLAN 1' out
call help --completion bash
check 'completion knows orders' grep -q "order.*options='auto ri degree reuse'" out
