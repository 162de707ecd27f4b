import Essentials

/// Name and password of the scheme `Basic`. Source: RFC 7617 §2.
package struct BasicCredentials: Sendable, Equatable {
    package let name: String
    package let password: String

    /// - Parameter name: without a colon.
    package init(name: String, password: String) { (self.name, self.password) = (name, password) }

    /// Those of an OAuth client, whose parts are encoded before they are joined. Source: RFC 6749 §2.3.1.
    package init(clientID: String, secret: String) {
        self.init(name: clientID.percentEncoded, password: secret.percentEncoded)
    }

    /// What is wrong with a value, for behind its name in a sentence.
    package enum Fault: String, Error {
        case noBase64 = "is not Base64"
        case noText = "is not UTF-8 text"
        case noColon = "has no colon between name and password"
    }

    /// - Parameter value: what follows the scheme.
    package init(parsing value: String) throws(Fault) {
        guard let bytes = Data(base64Encoded: value) else { throw .noBase64 }
        guard !CombiningMarks.areTooMany(in: bytes), let text = String(validating: bytes, as: UTF8.self)
        else {
            throw .noText
        }
        // Found among the bytes: a combining character behind the colon would make one character of both.
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { throw .noColon }
        self.init(name: String(text[..<colon]), password: String(Substring(text.utf8[colon...].dropFirst())))
    }

    /// The value of an `Authorization` field.
    package var header: String { "Basic " + Data("\(name):\(password)".utf8).base64EncodedString() }
}

extension String {
    /// What stands behind the name of an authentication scheme in an `Authorization` field; nil for another scheme.
    ///
    /// Source: RFC 9110 §11.4: the name's case does not matter.
    package func value(ofScheme scheme: String) -> String? {
        guard let space = utf8.firstIndex(of: UInt8(ascii: " ")),
            self[..<space].asciiLowercased == scheme.asciiLowercased
        else { return nil }
        return String(Substring(utf8[space...].drop { $0 == UInt8(ascii: " ") }))
    }
}
