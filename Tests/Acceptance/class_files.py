"""What compiled classes use of other classes, read out of their constant pools. Source: The Java Virtual Machine Specification, §4.4."""

import struct

#: How many bytes follow the tag of an entry; text (1) has its own length.
SIZES = {3: 4, 4: 4, 5: 8, 6: 8, 7: 2, 8: 2, 9: 4, 10: 4, 11: 4, 12: 4, 15: 3, 16: 2, 17: 4, 18: 4, 19: 2, 20: 2}


def constants(data):
    """The entries of a constant pool by their number: the tag and its bytes."""
    assert data[:4] == b"\xca\xfe\xba\xbe", "no class file"
    [count] = struct.unpack_from(">H", data, 8)
    found, at, number = {}, 10, 1
    while number < count:
        tag = data[at]
        if tag == 1:
            [length] = struct.unpack_from(">H", data, at + 1)
            found[number] = (tag, data[at + 3:at + 3 + length])
            at += 3 + length
        else:
            found[number] = (tag, data[at + 1:at + 1 + SIZES[tag]])
            at += 1 + SIZES[tag]
        number += 2 if tag in (5, 6) else 1
    return found


def members_used(data):
    """Methods with their parameters and fields that a class names, as `java/net/URL.openConnection()`, and classes, as `java/net/URL`."""
    pool = constants(data)

    def text(number):
        return pool[number][1].decode("utf-8", "replace")

    def class_name(number):
        return text(*struct.unpack(">H", pool[number][1])).lstrip("[").removeprefix("L").rstrip(";")

    for tag, entry in list(pool.values()):
        if tag in (9, 10, 11):
            owner, name_and_type = struct.unpack(">HH", entry)
            name, kind = (text(number) for number in struct.unpack(">HH", pool[name_and_type][1]))
            yield f"{class_name(owner)}.{name}" + (kind[:kind.index(")") + 1] if tag != 9 else "")
        elif tag == 7:
            yield text(*struct.unpack(">H", entry)).lstrip("[").removeprefix("L").rstrip(";")


def used_by(folder):
    """All that the classes in a folder use of Java's own classes."""
    used = {name for path in folder.rglob("*.class") for name in members_used(path.read_bytes())}
    return {name for name in used if name.startswith(("java/", "javax/", "sun/", "jdk/", "android/"))}
