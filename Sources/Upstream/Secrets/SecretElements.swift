/// Secrets of a page or of XML: the content of elements with such a name, and inputs of forms, such as those that post an answer back.
///
/// Sources: XML 1.0 §3.1; OAuth 2.0 Form Post Response Mode.
struct SecretElements {
    let inRequest: Bool

    func masked(_ text: [UInt8]) -> [UInt8] {
        guard text.contains(UInt8(ascii: "<")) else { return text }
        let contents = TextParts.contents(of: text) { SecretNames.isSecret($0, inRequest: inRequest) }
        let masked = contents.replaced(in: text) {
            Mask.of(bytes: $0)
        }
        return TextParts.inputs(of: masked).replaced(in: masked) {
            Array(input(String(decoding: $0, as: UTF8.self)).utf8)
        }
    }

    private func input(_ tag: String) -> String {
        guard let name = tag.firstMatch(of: /name=["']?([A-Za-z0-9_\-\[\].]+)/.ignoresCase()),
            SecretNames.isSecret(name.1.utf8, inRequest: true)
        else { return tag }
        return tag.replacing(/value=(["'])([^"']*)["']/.ignoresCase()) {
            "value=\($0.1)\(Mask.of($0.2))\($0.1)"
        }.replacing(/value=([^\s"'>]+)/.ignoresCase()) { "value=\(Mask.of($0.1))" }
    }
}
