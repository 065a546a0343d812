/* A program that changes its folder before it asks for GPUs: it prints the reason why there are
 * none, which names the file of the plug-in.  Usage: elsewhere FOLDER */
#include "motifsieve.h"

#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
  if (argc != 2 || chdir(argv[1]) != 0)
    return 2;
  puts(ms_device_reason());
  return 0;
}
