#include "base/marks.h"

void ms_marks_add(ms_marks *marks, const ms_mark *mark)
{
  uint32_t kept = 0;
  if (marks->count == MS_MARKS) { /* every other mark of the first half goes */
    for (uint32_t i = 0; i < MS_MARKS; i++)
      if (i % 2 == 0 || i >= MS_MARKS / 2)
        marks->mark[kept++] = marks->mark[i];
    marks->count = kept;
  }
  marks->mark[marks->count++] = *mark;
}

bool ms_marks_take(ms_marks *marks, off_t end, off_t room, ms_mark *mark)
{
  uint32_t last = marks->count, early;
  while (last > 0 && marks->mark[last - 1].offset > end)
    last--;
  for (early = last; early > 0 && marks->mark[early - 1].offset > end - room; early--)
    ;
  if (early > 0)
    last = early;
  marks->count = last > 0 ? last - 1 : 0;
  if (last > 0)
    *mark = marks->mark[last - 1];
  return last > 0;
}
