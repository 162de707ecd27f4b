package import Essentials
package import HTTP
package import PlatformKit

/// A refusal in OAuth's own shape. Each area has a type of its own, and a static member for each case.
package protocol OAuthRefusal: Refusal {
    var wire: OAuthWire { get }

    /// The whole answer; without a word ``wire`` as JSON.
    func response() throws -> Response
}

/// `{"error":"invalid_grant","error_description":"…"}` with its status. Source: RFC 6749 §5.2; RFC 6750 §3.
package struct OAuthWire: Sendable, Equatable {
    package var status: Status
    package var error: String
    /// ASCII without quotation mark and backslash: it also stands in header fields. Source: RFC 6749 §5.2.
    package var description: String?
    /// Beside the caching rules.
    package var headers: [(name: String, value: String)]
    /// Members of the platform's own.
    package var members: [String: JSONValue]

    package init(
        _ status: Status, _ error: String, _ description: String? = nil,
        headers: [(name: String, value: String)] = [], members: [String: JSONValue] = [:]
    ) {
        (self.status, self.error, self.description) = (status, error, description)
        (self.headers, self.members) = (headers, members)
    }

    package static func == (one: Self, other: Self) -> Bool {
        (one.status, one.error, one.description) == (other.status, other.error, other.description)
            && one.members == other.members && one.headers.elementsEqual(other.headers, by: ==)
    }
}

extension OAuthWire {
    /// A description with what the client sent, in the characters that one may have: no quotation mark, no backslash, 300 at most.
    /// Source: RFC 6749 §5.2.
    static func described(_ words: String, _ values: [String]) -> String {
        let plain = (words + values.joined(separator: " ")).map { "“”\"".contains($0) ? "'" : $0 }
        let text = String(plain).utf8.map { byte -> UInt8 in
            switch byte {
            case UInt8(ascii: "\\"): UInt8(ascii: "/")
            default: 0x20...0x7E ~= byte ? byte : UInt8(ascii: "?")
            }
        }
        return String(
            decoding: text.count > 300 ? text.prefix(297) + Array("...".utf8) : text[...], as: UTF8.self)
    }
}

extension OAuthRefusal {
    package func response() throws -> Response { wire.response }
}

extension OAuthWire {
    package var response: Response {
        var body = members
        body["error"] = .string(error)
        if let description { body["error_description"] = .string(description) }
        var response = Response.oauth(.object(body), status: status)
        for (name, value) in headers { response.headers.add(name, value) }
        return response
    }
}

extension Response {
    /// JSON that nobody may keep. Source: RFC 6749 §5.1.
    package static func oauth(_ body: JSONValue, status: Status = .ok) -> Response {
        Response(
            status: status,
            headers: [
                "Content-Type": "application/json", "Cache-Control": "no-store", "Pragma": "no-cache",
            ], body: body.bytes)
    }
}
