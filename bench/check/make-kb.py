"""Write a kb.db with as many causes as asked for, from a real one.

usage: make-kb.py FROM.db TO.db CAUSES [no-gates]

The missing ones are copies of those there are, in turn, under other names, with
their own evidence, explanations and remedies. Their statements get a comment of
their own: nothing may be saved because two texts are equal.
"""
import shutil
import sqlite3
import sys


def copy(db, slug, name):
    db.execute("INSERT INTO evidence SELECT ?, id, position, weight, \"group\", says, rtrim(sql, char(10)) || "
               "' /* ' || ? || ' */', absence, gate, reads, line FROM evidence WHERE cause = ?", (name, name, slug))
    for table, key in ("cause", "slug"), ("explained_by", "cause"), ("cause_remedy", "cause"):
        columns = [row[1] for row in db.execute(f"PRAGMA table_info({table})")][1:]
        columns = ", ".join(f'"{column}"' for column in columns)
        db.execute(f"INSERT INTO {table} SELECT ?, {columns} FROM {table} WHERE {key} = ?", (name, slug))


def main():
    source, target, wanted = sys.argv[1], sys.argv[2], int(sys.argv[3])
    shutil.copyfile(source, target)
    db = sqlite3.connect(target)
    slugs = [row[0] for row in db.execute("SELECT slug FROM cause ORDER BY slug")]
    for i in range(wanted - len(slugs)):
        copy(db, slugs[i % len(slugs)], f"{slugs[i % len(slugs)]}-{i // len(slugs) + 2}")
    if "no-gates" in sys.argv:
        db.execute("UPDATE evidence SET gate = NULL")
    db.commit()
    count = db.execute("SELECT (SELECT count(*) FROM cause), (SELECT count(*) FROM evidence), "
                       "(SELECT count(*) FROM evidence WHERE gate IS NOT NULL)").fetchone()
    print("%d causes, %d statements, %d of them with a gate" % count)


main()
