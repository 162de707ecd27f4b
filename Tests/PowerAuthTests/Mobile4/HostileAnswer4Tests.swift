import Crypto
import DeviceKit
import Essentials
import PlatformKit
import PowerAuthDevice
import Testing

@testable import PowerAuth

/// Answers of protocol 4.0 that somebody on the way has changed: the phone takes none of them, and stays as it was.
@Suite struct HostileAnswer4Tests {
    enum Bend: CaseIterable {
        case firstSignatureWrong, secondSignatureWrong, secondSignatureMissing, claimsOther
        case ivOther, tagWrong, ciphertextOther, timeOther, answerOfAnother

        func change(_ path: String, _ answer: JSONValue, _ last: JSONValue?) throws -> JSONValue {
            let isOfKey = path.hasSuffix("/keystore/create")
            switch self {
            case .firstSignatureWrong, .secondSignatureWrong, .secondSignatureMissing, .claimsOther:
                return isOfKey ? try key(answer) : answer
            case .answerOfAnother: return isOfKey ? answer : last ?? answer
            default: return isOfKey ? answer : try message(answer)
            }
        }

        private func key(_ answer: JSONValue) throws -> JSONValue {
            let text = try #require(answer["responseObject"]?["jwt"]?.string)
            var jws = try #require(try JSONValue(parsing: Array(text.utf8)).object)
            var signatures = try #require(jws["signatures"]?.array)
            switch self {
            case .firstSignatureWrong: signatures[0] = try turned(signatures[0], "signature")
            case .secondSignatureWrong: signatures[1] = try turned(signatures[1], "signature")
            case .secondSignatureMissing: signatures.removeLast()
            default: jws["payload"] = try turned(.object(jws), "payload")["payload"]
            }
            jws["signatures"] = .array(signatures)
            return ["status": "OK", "responseObject": ["jwt": .string(JSONValue.object(jws).text)]]
        }

        /// A bit of a value in Base64url is another.
        private func turned(_ object: JSONValue, _ name: String) throws -> JSONValue {
            var members = try #require(object.object)
            var bytes = try #require(members[name]?.string.flatMap { Base64URL.decode($0) })
            bytes[bytes.count / 2] ^= 1
            members[name] = .string(Base64URL.encode(bytes))
            return .object(members)
        }

        private func message(_ answer: JSONValue) throws -> JSONValue {
            var members = try #require(answer.object)
            var bytes = try #require(members["encryptedData"]?.string.flatMap { Base64.decode($0) })
            switch self {
            case .ivOther: bytes[0] ^= 1
            case .tagWrong: bytes[12] ^= 1
            case .ciphertextOther: bytes[44] ^= 1
            default: members["timestamp"] = .integer(try #require(members["timestamp"]?.integer) + 1)
            }
            members["encryptedData"] = .string(Base64.encode(bytes))
            return .object(members)
        }
    }

    @Test(arguments: Bend.allCases.filter { $0 != .answerOfAnother })
    func `an activation whose answer was changed is none`(_ bend: Bend) throws {
        let bench = try MobileBench()
        let phone = try bench.phone4(.hybrid3)
        let code = try bench.register(.onKeyExchange).code
        bench.bends = { try bend.change($0, $1, nil) }
        #expect(throws: DeviceError.self) {
            try phone.activate(.init(.code(code)), pin: MobileBench.pin)
        }
        #expect(phone.activation == nil)
    }

    @Test(arguments: Bend.allCases)
    func `a status whose answer was changed says nothing`(_ bend: Bend) throws {
        let bench = try MobileBench()
        let phone = try bench.activePhone4(.hybrid3)
        phone.temporaryKeys = [:]
        var last: JSONValue?
        bench.bends = { path, answer in
            if path.hasSuffix("/status") { last = answer }
            return answer
        }
        _ = try phone.status()
        let before = phone.activation
        phone.temporaryKeys = [:]
        bench.bends = { [last] in try bend.change($0, $1, last) }
        #expect(throws: DeviceError.self) { _ = try phone.status() }
        #expect(phone.activation == before)
        bench.bends = nil
        phone.temporaryKeys = [:]
        #expect(try phone.status().state == .active)
    }

    @Test func `keys of another application's configuration sign nothing for this one`() throws {
        let bench = try MobileBench()
        let told = try bench.platform.appConfigurations().first { $0.application == "bank" }
        var text = try #require(told?.values["mobileSdkConfigV4"].flatMap { Base64.decode($0) })
        // The last key is of ML-DSA-87.
        text[text.count - 1] ^= 1
        let phone = bench.phone(try MobileConfiguration(parsing: Base64.encode(text)))
        phone.algorithm = .hybrid5
        let code = try bench.register(.onKeyExchange).code
        #expect(throws: DeviceError.self) { try phone.activate(.init(.code(code)), pin: MobileBench.pin) }
        phone.algorithm = .hybrid3
        try phone.activate(.init(.code(code)), pin: MobileBench.pin)

        let older = try bench.phone()
        older.algorithm = .p384
        #expect(throws: DeviceError("the configuration has no P-384 key: it is one for SDK 1.x")) {
            try older.activate(.init(.code(code)), pin: MobileBench.pin)
        }
    }

    @Test(arguments: ["", "1", "123"])
    func `a PIN of fewer than four characters is refused before anything is exchanged`(_ pin: String) throws {
        let bench = try MobileBench()
        let phone = try bench.phone4()
        let (id, code) = try bench.register(.onKeyExchange)
        #expect(throws: DeviceError.self) { try phone.activate(.init(.code(code)), pin: pin) }
        #expect(try bench.stored(id).state == .created)
        try phone.activate(.init(.code(code)), pin: MobileBench.pin)
        #expect(throws: DeviceError.self) { try phone.changePIN(from: MobileBench.pin, to: pin) }
    }
}
