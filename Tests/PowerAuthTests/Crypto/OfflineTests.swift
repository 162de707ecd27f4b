import Crypto
import PowerAuth
import Testing

struct OfflineTests {
    struct Password: Sendable {
        let seconds: Int
        let code: String
        let digest: Digest
        let seed: [UInt8]

        static let all: [Password] = String(decoding: powerAuthVector("primitives/totp.csv"), as: UTF8.self)
            .split(whereSeparator: \.isNewline).dropFirst().map { line in
                let fields = line.split(separator: ",").map { $0.filter { !$0.isWhitespace } }
                guard fields.count == 6, let seconds = Int(fields[0]), let seed = Hex.decode(fields[5]),
                    let digest = Digest(rawValue: fields[4].replacing("Hmac", with: ""))
                else { preconditionFailure("not a line of the vector: \(line)") }
                return Password(seconds: seconds, code: fields[3], digest: digest, seed: seed)
            }
    }

    @Test(arguments: Password.all)
    func `one-time passwords are those of RFC 6238`(_ vector: Password) throws {
        let password = try OneTimePassword(seed: vector.seed, digest: vector.digest)

        #expect(password.code(at: vector.seconds) == vector.code)
        let six = try OneTimePassword(seed: vector.seed, digits: 6, digest: vector.digest)
        #expect(six.code(at: vector.seconds) == String(vector.code.suffix(6)))
        let next = password.codes(at: vector.seconds + 30, stepsBack: 1)
        #expect(next.count == 2)
        #expect(next.last == vector.code)
    }

    @Test func `all lines of the file are read`() {
        #expect(Password.all.count == 8)
    }

    @Test func `there is no step before 1970, and no password of five or nine digits`() throws {
        let password = try OneTimePassword(seed: [1])

        #expect(password.codes(at: 29, stepsBack: 3) == [password.code(at: 0)])
        #expect(password.codes(at: -100, stepsBack: -1) == [password.code(at: 0)])
        for (digits, step) in [(5, 30), (9, 30), (8, 0)] {
            #expect(throws: ProtocolFault.self) {
                try OneTimePassword(seed: [1], digits: digits, stepSeconds: step)
            }
        }
    }

    @Test(arguments: [nil, "12345678"])
    func `a QR code is signed up to and with the digit that names the key`(_ otp: String?) throws {
        let (nonce, lines) = (
            try Example.whole["offline"].nonce("nonceBase64"), "id\ntitle\ntext\nA1*A100CZK\nB"
        )
        let key = try Example.privateKey("server")
        let middle = (otp.map { $0 + "\n" } ?? "") + nonce.base64 + "\n"

        for (marker, code) in [
            ("1", try OfflineQRCode(data: lines, otp: otp, nonce: nonce, key: .personalized(key))),
            ("0", try OfflineQRCode(data: lines, otp: otp, nonce: nonce, key: .master(key))),
        ] {
            let signed = lines + "\n" + middle + marker
            #expect(code.signedText == signed)
            #expect(code.text.hasPrefix(signed))
            let signature = try #require(Base64.decode(code.text.dropFirst(signed.count)))
            #expect(DataSignature.isValid(signature, for: Array(signed.utf8), by: key.publicKey))
        }
    }
}
