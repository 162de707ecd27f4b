import Crypto
import PlatformKit

/// What the loader demands of single values.
enum FixtureRules {
    static func require(_ range: ClosedRange<Int>, _ number: Int, at path: [String]) throws {
        guard range.contains(number) else {
            throw FixtureProblem(
                at: path, "expected a number from \(range.lowerBound) to \(range.upperBound), found \(number)"
            )
        }
    }

    static func requireBytes(_ text: String, _ count: Int, at path: [String]) throws {
        guard Base64URL.decode(text)?.count == count else {
            throw FixtureProblem(
                at: path, "expected base64url of \(count) bytes, found \"\(text.prefix(60))\"")
        }
    }

    static func requireKey(_ text: String, at path: [String]) throws {
        guard DeviceKey.publicKey(text) != nil else {
            throw FixtureProblem(
                at: path,
                "expected the SPKI of a public key of P-256 in base64url, found \"\(text.prefix(60))\"")
        }
    }

    static func requireLength(_ text: String, at path: [String]) throws {
        guard User.isID(text) else {
            throw FixtureProblem(at: path, "expected 1 to \(User.idLimit) characters, found \(text.count)")
        }
    }

    /// Something that stands in a list once.
    static func requireUnique(_ text: String, in seen: inout Set<String>, at path: [String]) throws {
        guard seen.insert(text).inserted else {
            throw FixtureProblem(at: path, "\"\(text.prefix(60))\" stands here twice")
        }
    }

    /// A reference to something of this section.
    static func requireKnown(_ text: String, in known: Set<String>, _ what: String, at path: [String]) throws
    {
        guard known.contains(text) else {
            throw FixtureProblem(at: path, "there is no \(what) \"\(text.prefix(60))\"")
        }
    }
}
