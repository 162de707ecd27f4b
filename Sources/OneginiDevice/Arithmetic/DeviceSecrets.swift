import Crypto
import DeviceKit
import Essentials

/// What the device computes of secrets that nobody else sees.
enum DeviceSecrets {
    static let suite = "OCRA-1:HOTP-SHA256-8:QH64-T1M"

    /// The response to a registration challenge: 8 digits. Source: RFC 6287 §5.
    ///
    /// - Parameters:
    ///   - signature: of the application; its SHA-256 is the key.
    ///   - challenge: in hexadecimal.
    ///   - seconds: since 1970.
    static func response(signature: String, challenge: String, seconds: Int) throws -> String {
        guard let question = Hex.decode(challenge), question.count <= 128 else {
            throw DeviceError("the challenge “\(challenge)” is not hexadecimal")
        }
        let padded = question + [UInt8](repeating: 0, count: 128 - question.count)
        let data = Array(suite.utf8) + [0] + padded + PGPNumber.bigEndian(seconds / 60, 8)
        let code = Digest.sha256.authenticationCode(of: data, key: Digest.sha256(Array(signature.utf8)))
        let offset = Int((code.last ?? 0) & 15)
        let number = code[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } & 0x7FFF_FFFF
        return String(String(number % 100_000_000 + 100_000_000).dropFirst())
    }

    /// What hides a refresh token on the device, or shows it: 32 bytes of the PIN, which never leaves it. The device cannot tell a
    /// wrong PIN: what it shows looks as good as the right token.
    static func masked(
        _ token: [UInt8], pin: String, clientID: String, profileID: String
    ) throws -> [UInt8] {
        let salt = Digest.sha256(Array("\(clientID):\(profileID)".utf8))
        let mask = try KeyDerivation.pbkdf2(
            .sha256, password: Array(pin.utf8), salt: salt, iterations: 10_000, count: 32)
        guard token.count == mask.count else {
            throw DeviceError("a refresh token has \(token.count) bytes instead of 32")
        }
        return zip(token, mask).map { $0 ^ $1 }
    }
}

/// What PINs the application allows. Source: the vendor's documentation, “PIN policy”.
package struct PINPolicy: Sendable, Equatable {
    package let length: Int
    /// 0 for no limit.
    package let maximumSimilarDigits: Int
    package let allowsSequences: Bool
    package let blocked: [String]

    init(_ json: JSONValue) throws {
        length = try json.number("pin_length")
        maximumSimilarDigits = json["max_similar_digits"]?.integer ?? 0
        allowsSequences = json["sequences_allowed"]?.boolean ?? true
        blocked = json["blocked_pins"]?.strings ?? []
    }

    /// What the SDK refuses by itself; the server never sees a PIN.
    ///
    /// - Throws: ``SDKRefusal`` of the device's own.
    package func check(_ pin: String) throws {
        let digits = Array(pin.utf8)
        guard digits.count == length, digits.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw SDKRefusal(local: OneginiDevice.sdkError(9014))
        }
        if blocked.contains(pin) { throw SDKRefusal(local: OneginiDevice.sdkError(9011)) }
        let steps = zip(digits.dropFirst(), digits).map { Int($0) - Int($1) }
        if !allowsSequences, let first = steps.first, first != 0, steps.allSatisfy({ $0 == first }) {
            throw SDKRefusal(local: OneginiDevice.sdkError(9012))
        }
        let longest = steps.reduce(into: (run: 1, best: 1)) { found, step in
            found.run = step == 0 ? found.run + 1 : 1
            found.best = max(found.best, found.run)
        }.best
        if maximumSimilarDigits > 0, longest > maximumSimilarDigits {
            throw SDKRefusal(local: OneginiDevice.sdkError(9013))
        }
    }
}
