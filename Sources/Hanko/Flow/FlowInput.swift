import Essentials

/// One input of an action: what it looks like on the wire, and the rules that a value has to keep.
///
/// Source: Hanko 2.7, Flow API.
struct FlowInput: Sendable, Equatable {
    enum Kind: String, Sendable {
        case string, boolean, email, number, password, json
    }

    struct Choice: Sendable, Equatable {
        let value: String
        let name: String
    }

    let name: String
    let kind: Kind
    /// Bytes, as ``maxLength``.
    var minLength: Int?
    var maxLength: Int?
    /// On the wire whenever it was set, also to false.
    var isRequired: Bool?
    /// On the wire whenever it was set, also to false.
    var isHidden: Bool?
    var choices: [Choice]?
    /// Whether the answer repeats the text that was submitted last, or null.
    var isPreserved = false
    var isTrimmed = false
    var isLowercased = false

    init(
        _ name: String, _ kind: Kind, minLength: Int? = nil, maxLength: Int? = nil, isRequired: Bool? = nil,
        isHidden: Bool? = nil, choices: [Choice]? = nil, isPreserved: Bool = false, isTrimmed: Bool = false,
        isLowercased: Bool = false
    ) {
        self.name = name
        self.kind = kind
        self.minLength = minLength
        self.maxLength = maxLength
        self.isRequired = isRequired
        self.isHidden = isHidden
        self.choices = choices
        self.isPreserved = isPreserved
        self.isTrimmed = isTrimmed
        self.isLowercased = isLowercased
    }

    /// The value without the blanks and capitals that this input does not tell apart.
    func normalized(_ value: JSONValue) -> JSONValue {
        guard var text = value.string else { return value }
        if isTrimmed { text = text.trimmed }
        if isLowercased { text = text.lowercased() }
        return .string(text)
    }

    /// What is wrong with the value; nil when nothing is. Values of the kinds `json` and `boolean` are never looked at.
    func fault(of value: JSONValue?) -> FlowInputRefusal? {
        if kind == .json || kind == .boolean { return nil }
        guard let text = value?.string, !text.isEmpty else { return isRequired == true ? .missing : nil }
        if let minLength, text.utf8.count < minLength { return .tooShort }
        if let maxLength, text.utf8.count > maxLength { return .tooLong }
        if kind == .email, !FlowAddress.isValid(text) { return .invalid }
        if kind == .string, let choices, !choices.contains(where: { $0.value == text }) { return .invalid }
        return nil
    }

    /// The rules in words, for the journal.
    var expectation: String {
        var rules: [String] = []
        if isRequired == true { rules.append("required") }
        if let minLength { rules.append("at least \(minLength) bytes") }
        if let maxLength { rules.append("at most \(maxLength) bytes") }
        if let choices {
            rules.append("one of " + choices.map { "“\($0.value)”" }.joined(separator: ", "))
        }
        let article = kind == .email ? "an email address" : kind == .json ? "JSON" : "a \(kind.rawValue)"
        return article + (rules.isEmpty ? "" : " (" + rules.joined(separator: ", ") + ")")
    }
}

/// The pattern that flows hold addresses against: `^[a-zA-Z0-9._%+-]+@[a-zA-Z0-9.-]+\.[a-zA-Z]{2,}$`.
///
/// Source: Hanko 2.7, Flow API; the classic endpoints have the other rule, ``MailAddress``.
enum FlowAddress {
    static func isValid(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        guard parts.count == 2, let local = parts.first, let host = parts.last, !local.isEmpty,
            let dot = host.lastIndex(of: UInt8(ascii: "."))
        else { return false }
        let (labels, end) = (host[..<dot], host[dot...].dropFirst())
        return local.allSatisfy { isAlphanumeric($0) || "._%+-".utf8.contains($0) }
            && !labels.isEmpty && labels.allSatisfy { isAlphanumeric($0) || ".-".utf8.contains($0) }
            && end.count >= 2 && end.allSatisfy(isLetter)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        0x41...0x5A ~= byte || 0x61...0x7A ~= byte
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool { isLetter(byte) || 0x30...0x39 ~= byte }
}

extension String {
    /// Without white space at both ends.
    var trimmed: String {
        var text = self[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
