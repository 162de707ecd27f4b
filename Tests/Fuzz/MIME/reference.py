"""The other end of `script/fuzz mime`: what CPython's `email` package reads of a mail, held against what Understudy read of it.

A line of JSON comes in for each mail, and a line goes out: empty when both read the same, else what differs. Where they differ on purpose, REASONS says
why, and the member is not compared; how often that was is told on standard error at the end. Of the package, the parser and the functions that read any
header are used (`compat32`, `decode_header`, `getaddresses`), since those of its newer policies fail on some of them.
"""

import base64
import codecs
import collections
import email
import email.header
import email.utils
import json
import re
import sys
from email._policybase import Compat32

REASONS = {
    "comment": "RFC 2045 §5.1 has comments in structured fields; the package takes them for text",
    "quotes": "behind a quoted string, in one that does not end and in <…> the package keeps what is no value",
    "pieces": "of RFC 2231 pieces that do not fit together, the package puts together others, or in another order",
    "parameter without a value": "the package gives such a parameter an empty value, which hides a later one",
    "encoding": "the encoding has a comment or a semicolon behind it, or is written with a blank: Understudy reads it all the same, the package does not",
    "uuencode": "x-uuencode is in no standard; its text is shown as it came",
    "padding": "base64 that goes on behind its padding is read as joined pieces; the package ends there, or reads on with bits left over",
    "length": "base64 of one character too many: the package gives the encoded text, Understudy what could be read",
    "escape": "of an equals sign that begins no escape, the package swallows a neighbour",
    "charset": "bytes that are not in the charset, or a charset that one of the two does not know: each shows them in its own way",
    "tables": "the two bytes of East Asia are read by the tables of the WHATWG, which have letters of vendors",
    "flowed": "the package leaves format=flowed to its caller",
    "control": "control characters, which no header may have, are blanks for the package in some places",
    "8-bit header": "bytes beyond ASCII in a header are read as UTF-8 (RFC 6532), which the package's older functions do not know",
    "encoded word": "a word in a charset that one of the two does not know, torn characters, no blank around it, or a mistake in its base64",
    "people": "each makes something else of a list of people that breaks the grammar of RFC 5322",
    "header line": "blanks before a colon are a header of old mails (RFC 5322 §4.5); the package begins the body there",
    "mailbox line": "“From ” amid a header begins the body; the package passes over it, or ends the header with it",
    "close behind open": "the package takes a closing boundary right behind an opening one for another opening one",
    "message": "the package writes an enclosed message anew instead of giving its bytes, and a multipart without parts with the line end behind it",
    "long": "names longer than 150 characters are cut",
    "fails": "the package raises an error",
}
SAME_TABLES = re.compile(r"utf-?8|us-ascii|iso-8859-\d+|koi8-[ru]|windows-125\d|utf-16(le|be)?")
counts = collections.Counter()


class Unfolding(Compat32):
    """As the package has it, but for line ends within a value, which are no part of it."""

    def header_source_parse(self, sourcelines):
        name, value = super().header_source_parse(sourcelines)
        return name, re.sub(r"[\r\n]", "", value).strip(" \t")


class Excused(Exception):
    """The member is not compared, for one of the REASONS."""


def excuse(reason):
    assert reason in REASONS, reason
    raise Excused(reason)


def clean(text):
    return "".join(" " if re.match("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]", mark) else mark for mark in text)


def blanks(text):
    return re.sub("[ \t]+", " ", clean(text)).strip()


# What a header says

def value(part, name):
    found = part.get(name)
    if found is None:
        return None
    if any(ord(mark) > 0x7E for mark in str(found)) or isinstance(found, email.header.Header):
        excuse("8-bit header")
    if re.search("[\x00-\x08\x0b-\x1f\x7f]", found):
        excuse("control")
    return found


def structured(part, name):
    found = value(part, name)
    if found is None:
        return None
    if "(" in found:
        excuse("comment")
    bare = re.sub(r'=[ \t]*"[^"\\]*"[ \t]*(?=;|$)', "=x", found)
    if '"' in bare or "\\" in bare or re.search(r"=\s*<", bare):
        excuse("quotes")
    return found


def parameter(part, field, name):
    found = structured(part, field)
    if found is None:
        return None
    if re.search(rf"(^|;)\s*{name}\s*\*", found, re.I):
        pieces = re.findall(rf";\s*{name}(\*\d+\*?|\*)?\s*=", found, re.I)
        good = [f"*{number}" for number in range(len(pieces))]
        if pieces != ["*"] and [piece.rstrip("*") for piece in pieces] != good or re.search(rf"{name}\s+\*|{name}\*[\d*]*\s", found, re.I):
            excuse("pieces")
        if not pieces:
            excuse("pieces")
        if pieces == ["*"] or pieces[0].endswith("*"):
            first = re.search(rf"{name}\*(?:0\*)?=([^;]*)", found, re.I)[1].strip().strip('"')
            if not re.match(r"(utf-8|us-ascii|iso-8859-1)'[^']*'[^']*$", first, re.I):
                excuse("pieces")
        if "%" in found and any(not piece.endswith("*") for piece in pieces):
            excuse("pieces")
    if re.search(rf";\s*{name}\s*(;|$)", found, re.I):
        excuse("parameter without a value")
    try:
        given = part.get_param(name, None, field)
    except TypeError:
        excuse("fails")
    return None if given is None else email.utils.collapse_rfc2231_value(given)


def decoded(text):
    if "=?" not in text:
        return text
    words = re.findall(r"=\?([^?\s]*)\?([bq])\?([^?]*)\?=", text, re.I)
    for charset, encoding, content in words:
        if not re.fullmatch(r"utf-8|us-ascii|iso-8859-\d+|koi8-r|windows-125\d", charset.split("*")[0], re.I):
            excuse("encoded word")
        if encoding in "bB" and (len(content) % 4 or not re.fullmatch(r"[A-Za-z0-9+/]*={0,2}", content)) or " " in content or "\t" in content:
            excuse("encoded word")
    bare = re.sub(r"(?<!\S)=\?[^?\s]*\?[bqBQ]\?[^?]*\?=(?!\S)", "", text)
    if "=?" in bare or "?=" in bare:
        excuse("encoded word")
    try:
        # The function takes away blanks beside words, which are part of the text (RFC 2047 §6.2).
        pieces = [(content.decode(charset.split("*")[0]) if charset else content.decode("raw-unicode-escape") if isinstance(content, bytes) else content)
                  for content, charset in email.header.decode_header(text)]
    except (UnicodeDecodeError, LookupError, email.errors.HeaderParseError, ValueError):
        excuse("encoded word")
    return "".join(pieces)


def people(message, *names):
    fields = [found for name in names if (found := value(message, name)) is not None]
    found = []
    for field in fields:
        word = r'(?:"[^"\\@]*"|[A-Za-z0-9_.=?*\'+-]+)'
        address = r"[A-Za-z0-9_.+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*"
        mailbox = rf"\s*(?:{address}(?:\s*\([^()\\@]*\))?|(?:{word}\s+)*<{address}>)\s*"
        if not re.fullmatch(rf"(?:{mailbox}|{word}:{mailbox}(?:,{mailbox})*;)(?:,{mailbox})*", field):
            excuse("people")
        for name, address in email.utils.getaddresses([field]):
            # What is in round brackets is a comment, though the older functions make a name of it.
            shown = blanks(decoded(name))
            found.append([address, None if re.search(re.escape(address) + r"\s*\(", field) else shown or None])
    return found


# What a part holds

def encoding(part):
    found = value(part, "content-transfer-encoding")
    if found is None:
        return ""
    plain = found.strip().lower()
    if re.search(r"[;(]", plain) or plain in ("quoted printable", "quoted_printable"):
        excuse("encoding")
    if "uu" in plain:
        excuse("uuencode")
    return plain


def content(part):
    if part.is_multipart() or part.get_content_maintype() == "multipart":
        excuse("message")
    how = encoding(part)
    raw = part._payload.encode("ascii", "surrogateescape") if isinstance(part._payload, str) else b""
    if how == "base64":
        known = re.sub(rb"[^A-Za-z0-9+/=]", b"", raw)
        if re.search(rb"=[^=]", known) or len(known.rstrip(b"=")) % 4 == 0 and known.endswith(b"="):
            excuse("padding")
        if len(known.rstrip(b"=")) % 4 == 1:
            excuse("length")
    if how == "quoted-printable":
        # Blanks at the end of a line are added on the way (RFC 2045 §6.7, rule 3), which the package leaves.
        clear = re.sub(rb"[ \t]+(?=\r\n)", b"", raw)
        if re.search(rb"=(?![0-9A-Fa-f]{2}|\r\n|$)", clear) or re.search(rb"=[ \t]+$", clear):
            excuse("escape")
        part._payload = clear.decode("ascii", "surrogateescape")
    return part.get_payload(decode=True)


def text(part):
    if (parameter(part, "content-type", "format") or "").lower() == "flowed":
        excuse("flowed")
    charset = parameter(part, "content-type", "charset")
    found, charset = content(part), "utf-8" if charset is None else charset.lower()
    if charset in ("us-ascii", "ascii", "utf8"):
        charset = "utf-8"
    if charset == "utf-16" and not found.startswith((b"\xff\xfe", b"\xfe\xff")):
        charset = "utf-16-be"
    if charset == "utf-8":
        return found.decode("utf-8", "replace")
    if not SAME_TABLES.fullmatch(charset):
        if any(byte > 0x7F or byte == 0x1B for byte in found):
            excuse("tables")
        excuse("charset")
    try:
        return found.decode(charset)
    except (UnicodeDecodeError, LookupError):
        excuse("charset")


def shown(plain):
    return plain.replace("\r\n", "\n").replace("\0", "\ufffd")


def leaves(part):
    if part.get_content_maintype() == "multipart" and part.is_multipart():
        for piece in part.get_payload():
            yield from leaves(piece)
    else:
        yield part


def plain_type(part):
    if structured(part, "content-type") is None:
        return part.get_default_type()
    found = part.get_content_type()
    return found if re.fullmatch(r"[a-z0-9+.-]{1,80}/[a-z0-9+.-]{1,80}", found) else "application/octet-stream"


def given_name(part):
    found = parameter(part, "content-disposition", "filename")
    if found is None:
        found = parameter(part, "content-type", "name")
    return None if found is None else decoded(found)


def file_name(given):
    last = clean(([piece for piece in re.split(r"[/\\]", given or "") if piece] or [""])[-1]).strip()
    if len(last) > 150:
        excuse("long")
    return last if last not in ("", ".", "..") else None


class Reading:
    """What the package finds, sorted as Understudy sorts it. What is excused is the reason instead."""

    def __init__(self, message):
        self.texts, self.html, self.attachments = [], None, []
        for part in leaves(message):
            self.add(part, part is message)

    def add(self, part, is_top):
        kind, given = plain_type(part), given_name(part)
        disposition = structured(part, "content-disposition")
        is_attached = disposition is not None and part.get_content_disposition() == "attachment" or given is not None and not is_top
        exact = part.get_content_type()
        if exact == "text/plain" and not is_attached:
            self.texts.append(part)
        elif exact == "text/html" and not is_attached and self.html is None:
            self.html = part
        else:
            self.attachments.append((part, kind, given))


def check_structure(mail):
    """Where the parser itself reads other parts on purpose."""
    header = re.split(rb"\r\n\r\n", mail)
    for line in mail.split(b"\r\n"):
        if re.match(rb"[!-9;-~]+[ \t]+:", line):
            excuse("header line")
    if re.search(rb"\r\nFrom |\AFrom [^\r\n]*\r\n[ \t]", mail):
        excuse("mailbox line")
    if re.search(rb"(?:\A|\r\n)(--[^\r\n]*?)[ \t]*\r\n\1--[ \t]*(?:\r\n|\Z)", mail):
        excuse("close behind open")
    return header


def differences(ours):
    mail = base64.b64decode(ours["mail"])
    check_structure(mail)
    try:
        message = email.message_from_bytes(mail, policy=Unfolding())
    except Exception:
        excuse("fails")

    def compare(what, theirs, own):
        try:
            found = theirs()
        except Excused as excused:
            counts[excused.args[0]] += 1
            return
        if found != own:
            yield f"{what}: the package has {found!r}, Understudy {own!r}"

    yield from compare("subject", lambda: blanks(decoded(value(message, "subject") or "")), blanks(ours["subject"]))
    yield from compare("from", lambda: people(message, "from"), [[a, n and blanks(n)] for a, n in ours["from"]])
    yield from compare("recipients", lambda: people(message, "to", "cc"), [[a, n and blanks(n)] for a, n in ours["recipients"]])
    for part in message.walk():
        # Which parts there are depends on it.
        if part.get_content_maintype() == "multipart":
            parameter(part, "content-type", "boundary")
    reading = Reading(message)
    yield from compare("text", lambda: shown("\n".join(map(text, reading.texts))) if reading.texts else None, ours.get("text"))
    yield from compare("html", lambda: shown(text(reading.html)) if reading.html else None, ours.get("html"))
    own = ours["attachments"]
    yield from compare("attachments", lambda: [kind for _, kind, _ in reading.attachments], [each["type"] for each in own])
    for number, ((part, _, given), each) in enumerate(zip(reading.attachments, own), 1):
        yield from compare(f"name {number}", lambda: file_name(given), None if each["name"].startswith("part-") else each["name"])
        yield from compare(f"content {number}", lambda: content(part), base64.b64decode(each["content"]))


def main():
    total = 0
    for line in sys.stdin:
        total += 1
        try:
            found = next(differences(json.loads(line)), "")
        except Excused as excused:
            counts[excused.args[0]] += 1
            found = ""
        print(found.replace("\n", " ").encode("ascii", "backslashreplace").decode(), flush=True)
    for reason, count in counts.most_common():
        print(f"mime: of {total} mails, not compared {count} times: {reason}: {REASONS[reason]}", file=sys.stderr)


if __name__ == "__main__":
    main()
