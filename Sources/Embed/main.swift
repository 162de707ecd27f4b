// Writes a Swift file that holds the files named on the command line, so that the program carries them.
//
// usage: Embed OUTPUT.swift ROOT FILE...
import Essentials

/// `text` as a Swift string literal on one line.
func literal(_ text: String) -> String {
    var literal = "\""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "\\": literal += "\\\\"
        case "\"": literal += "\\\""
        case "\n": literal += "\\n"
        case _ where scalar.value < 0x20 || scalar.value == 0x7F:
            literal += "\\u{" + String(scalar.value, radix: 16) + "}"
        default: literal.unicodeScalars.append(scalar)
        }
    }
    return literal + "\""
}

struct EmbedError: Error {
    let reason: String
}

let arguments = CommandLine.arguments
guard arguments.count >= 3 else {
    throw EmbedError(reason: "usage: Embed OUTPUT.swift ROOT FILE...")
}
let root = arguments[2].hasSuffix("/") ? arguments[2] : arguments[2] + "/"

var source = "extension EmbeddedFile {\n    package static let all: [EmbeddedFile] = [\n"
for file in arguments.dropFirst(3).sorted() {
    guard file.hasPrefix(root) else {
        throw EmbedError(reason: "\(file) is not below \(root)")
    }
    guard let text = String(validating: try Data(contentsOf: URL(filePath: file)), as: UTF8.self) else {
        throw EmbedError(reason: "\(file) is not UTF-8 text; only text can be embedded")
    }
    let path = String(file.dropFirst(root.count))
    source += "        EmbeddedFile(path: \(literal(path)), text: \(literal(text))),\n"
}
source += "    ]\n}\n"
try Data(source.utf8).write(to: URL(filePath: arguments[1]), options: .atomic)
