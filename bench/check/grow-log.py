"""Write a snapshot again with its kernel log repeated until it has as many bytes as asked for.

usage: grow-log.py FROM.snap TO.snap BYTES

The log is what grows on a machine that stays up; its time goes on with each copy.
"""
import sys

MICROSECONDS = 3  # "\t. - 412000 6 text"


def later(line, seconds):
    words = line.split(" ", MICROSECONDS)
    words[MICROSECONDS - 1] = str(int(words[MICROSECONDS - 1]) + seconds * 1000000)
    return " ".join(words)


def main():
    source, target, wanted = sys.argv[1], sys.argv[2], int(sys.argv[3])
    lines = open(source, encoding="utf-8").read().splitlines(keepends=True)
    start = next(i for i, line in enumerate(lines) if line.startswith("ask kernel-log")) + 1
    end = next(i for i in range(start, len(lines)) if not lines[i].startswith("\t"))
    size, log, rounds = sum(map(len, lines)), lines[start:end], 0
    more = []
    while size < wanted:
        rounds += 1
        more += [later(line, rounds * 100000) for line in log]
        size = sum(map(len, lines)) + sum(map(len, more))
    with open(target, "w", encoding="utf-8") as out:
        out.writelines(lines[:end] + more + lines[end:])
    print(f"{size} bytes, {len(log) + len(more)} lines of log")


main()
