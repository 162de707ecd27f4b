import Embedded
for f in EmbeddedFile.all { print(f.path, f.bytes.count) }
