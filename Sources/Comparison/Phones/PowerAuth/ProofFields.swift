/// The parameters of a header field of PowerAuth, such as `PowerAuth pa_version="3.3", pa_nonce="…"`, in the layout of who wrote it.
struct ProofFields {
    /// Names and punctuation, and between them the values.
    private let parts: [String]
    private let titles: [String?]

    static let authorization = "X-PowerAuth-Authorization"
    static let token = "X-PowerAuth-Token"
    static let encryption = "X-PowerAuth-Encryption"
    /// Fields that such parameters stand in.
    static let names: Set = [authorization, token, encryption]

    private static let mostBytes = 8192

    /// Nil for what is none.
    init?(_ text: String?) {
        guard let text, text.utf8.count <= Self.mostBytes, text.hasPrefix("PowerAuth ") else { return nil }
        parts = text.split(separator: "\"", omittingEmptySubsequences: false).map(String.init)
        guard parts.count > 2, parts.count % 2 == 1 else { return nil }
        titles = parts.enumerated().map { index, part in
            guard index % 2 == 0, part.hasSuffix("=") else { return nil }
            return part.dropLast().split(whereSeparator: { " ,".contains($0) }).last.map(String.init)
        }
    }

    subscript(_ name: String) -> String? {
        titles.firstIndex { $0 == name }.map { parts[$0 + 1] }
    }

    /// Those of a code, by its name of protocol 4.0 or 3.x.
    var factors: String? { self["pa_auth_code_type"] ?? self["pa_signature_type"] }

    /// The values of `ours` in the layout of a recorded field, where both can be read.
    static func laidOut(_ ours: String, like recorded: String?, keeping: Set<String> = []) -> String {
        guard let fields = ProofFields(ours), let layout = ProofFields(recorded) else { return ours }
        return layout.text(with: fields, keeping: keeping)
    }

    private func text(with other: ProofFields, keeping: Set<String>) -> String {
        parts.indices.map { index in
            guard index > 0, let name = titles[index - 1], !keeping.contains(name), let value = other[name]
            else {
                return parts[index]
            }
            return value
        }.joined(separator: "\"")
    }
}
