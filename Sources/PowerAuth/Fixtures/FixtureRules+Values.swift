import Crypto
import Essentials
import PlatformKit

// What the loaders demand of single values.
extension FixtureRules {
    /// Source: documentation of the push server, which is the strictest of the components.
    static func isApplicationID(_ text: String) -> Bool {
        3...255 ~= text.utf8.count
            && text.utf8.allSatisfy { byte in
                0x30...0x39 ~= byte || 0x41...0x5A ~= byte || 0x61...0x7A ~= byte || "-_".utf8.contains(byte)
            }
    }

    static func requireName(_ text: String, at path: [String]) throws {
        guard 1...255 ~= text.count else {
            throw FixtureProblem(at: path, "expected 1 to 255 characters, found \(text.count)")
        }
    }

    static func requireBase64(_ text: String, _ counts: [Int], at path: [String]) throws {
        guard let bytes = Base64.decode(text), counts.contains(bytes.count) else {
            let sizes = counts.map(String.init).joined(separator: " or ")
            throw FixtureProblem(at: path, "expected Base64 of \(sizes) bytes, found “\(text.prefix(60))”")
        }
    }

    static func require(_ counts: [Int], _ data: Base64Bytes, at path: [String]) throws {
        try requireBase64(Base64.encode(data.bytes), counts, at: path)
    }

    /// A key that can be made.
    static func requireKey<Key>(at path: [String], _ make: () throws -> Key) throws {
        do {
            _ = try make()
        } catch let error as CryptoError {
            throw FixtureProblem(at: path, "expected a key of the curve: \(error)")
        }
    }

    /// `XXXXX-XXXXX-XXXXX-XXXXX` with its check sum.
    static func requireCode(_ text: String, at path: [String]) throws {
        do {
            _ = try ActivationCode(text)
        } catch let fault as ProtocolFault {
            throw FixtureProblem(at: path, "\(fault)")
        }
    }

    static func requireUUID(_ text: String, at path: [String]) throws {
        let shape = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/
        guard text.wholeMatch(of: shape) != nil else {
            throw FixtureProblem(
                at: path, "expected a UUID in lower case, found “\(text.prefix(60))”")
        }
    }
}
