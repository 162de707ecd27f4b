import Essentials
import HTTP
import PlatformKit

// What a client may leave out: absent, null and the empty text are the same; some libraries write `mpinid`.
extension Members {
    /// - Parameter isOptional: whether an empty body counts as an object without members.
    /// - Throws: ``RequestRefusal``.
    convenience init(_ request: Request, isOptional: Bool = false) throws {
        let manner: Manner = [.emptyIsNothing, .anyCase]
        try self.init(
            parsing: request.body, isOptional ? manner.union(.bodyIsOptional) : manner, else: Self.refusal)
    }

    convenience init(_ values: [String: JSONValue]) {
        self.init(values, [.emptyIsNothing, .anyCase], else: Self.refusal)
    }

    private static let refusal: Refusing = { faults in
        let fault = faults[0]
        if fault.name.isEmpty { return RequestRefusal.malformed(fault.sentence) }
        guard let value = fault.value else { return RequestRefusal.memberMissing(fault.name) }
        return RequestRefusal.memberMalformed(
            fault.name, "expected \(fault.expected), found \(value.text.prefix(40)).")
    }

    /// A text that is not empty.
    func text(_ name: String) throws -> String {
        try read(name, Self.textWords, isRequired: true, Self.text) ?? ""
    }

    func optionalText(_ name: String) throws -> String? { try read(name, Self.textWords, Self.text) }

    private static func text(_ value: JSONValue) -> String? {
        value.string.flatMap { $0.utf8.count <= textLimit ? $0 : nil }
    }

    /// Bytes; the longest thing that clients send is a signature in Base64.
    static let textLimit = 16_384
    private static let textWords = "a text of at most \(textLimit) bytes"

    /// True and 1 are true, false, 0 and nothing are false.
    func flag(_ name: String) throws -> Bool {
        try read(name, "true or false") { value in
            value.boolean ?? value.integer.flatMap { [0: false, 1: true][$0] }
        } ?? false
    }

    func optionalInteger(_ name: String) throws -> Int? {
        try read(name, "a whole number") { $0.integer ?? $0.string.flatMap { Int($0) } }
    }

    /// An array of texts, or a single one.
    func texts(_ name: String) throws -> [String] {
        try read(name, "an array of texts") { $0.string.map { [$0] } ?? $0.strings } ?? []
    }

    func optionalMembers(_ name: String) throws -> Members? {
        try optionalObject(name).map { Members($0) }
    }
}

extension Response {
    /// `200` with a JSON object that nobody keeps. Source: Milagro MFA SDK core, which takes no other status for success.
    static func answer(_ members: [String: JSONValue]) -> Response {
        Response(
            headers: ["Content-Type": "application/json", "Cache-Control": "no-store"],
            body: JSONValue.object(members).bytes)
    }
}
