#!/usr/bin/env python3
"""Whether pages are what a browser, a reader's eyes and a screen reader need.

usage: page.py [--hostile] FILE...      hostile: text may look like markup

Well formed, one h1, no heading level left out, landmarks, captions, labelled
pictures; no script and nothing that would be fetched from anywhere.
"""
import html.parser
import re
import sys

HOSTILE = "--hostile" in sys.argv
FILES = [word for word in sys.argv[1:] if word != "--hostile"]
VOID = {"meta", "br", "hr", "img", "input", "link"}
FETCH = {"src", "href", "srcset", "action", "poster", "data", "xlink:href", "background", "formaction"}


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.stack, self.bad, self.headings, self.seen, self.ids, self.text = [], [], [], {}, set(), []

    def handle_starttag(self, tag, attributes):
        a = dict(attributes)
        self.seen[tag] = self.seen.get(tag, 0) + 1
        if len(a) != len(attributes):
            self.bad.append(f"an attribute twice in {tag}")
        if tag in ("script", "iframe", "object", "embed", "form", "base", "link"):
            self.bad.append(f"<{tag}>")
        for name, value in attributes:
            if name.startswith("on") or (name in FETCH and not (value or "").startswith("#")):
                self.bad.append(f"{tag} {name}={value}")
        if a.get("id") in self.ids:
            self.bad.append(f"id {a['id']} twice")
        self.ids.add(a.get("id")) if "id" in a else None
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))
        if tag == "svg" and not (a.get("aria-hidden") == "true" or (a.get("role") == "img" and a.get("aria-label"))):
            self.bad.append("a picture without words")
        if tag == "caption":
            self.seen["captioned"] = self.seen.get("captioned", 0) + 1
        if tag == "details":
            self.seen["folds"] = self.seen.get("folds", 0) + 1
        if tag not in VOID:
            self.stack.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag):
        if not self.stack or self.stack.pop() != tag:
            self.bad.append(f"</{tag}> closes nothing at {self.getpos()}")

    def handle_data(self, data):
        self.text.append(data)
        if self.stack and self.stack[-1] == "style" and re.search(r"url\(|@import|https?:|//", data):
            self.bad.append("the style fetches something")
        elif not HOSTILE and self.stack and self.stack[-1] != "style" and re.search(r"</?[a-z]+>", data):
            self.bad.append(f"markup as text: {data.strip()[:60]}")


def faults(path):
    page = Page()
    with open(path, encoding="utf-8") as file:
        text = file.read()
    page.feed(text)
    page.close()
    yield from page.bad
    if page.stack:
        yield f"not closed: {page.stack}"
    if page.headings.count(1) != 1 or page.headings[0] != 1:
        yield f"headings {page.headings}"
    for a, b in zip(page.headings, page.headings[1:]):
        if b > a + 1:
            yield f"h{b} follows h{a}"
    for landmark in ("header", "main", "footer", "title"):
        if page.seen.get(landmark) != 1:
            yield f"{page.seen.get(landmark, 0)} {landmark}"
    if page.seen.get("table", 0) != page.seen.get("captioned", 0):
        yield "a table without a caption"
    if page.seen.get("folds", 0) != page.seen.get("summary", 0):
        yield "something folded without a summary"
    if not text.startswith("<!DOCTYPE html>") or '<html lang="en">' not in text:
        yield "no document type or no language"


def main():
    count = 0
    for path in FILES:
        for fault in faults(path):
            print(f"{path}: {fault}")
            count += 1
    return 1 if count or not FILES else 0


sys.exit(main())
