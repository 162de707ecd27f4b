import Crypto
import PostQuantum

/// One line of the standard input and its answer.
enum Order {
    struct Unknown: Error, CustomStringConvertible {
        let description: String
    }

    static func answer(to line: String) -> String {
        let words = line.split(separator: " ").map(String.init)
        do {
            return try answer(words.first ?? "", Array(words.dropFirst()))
        } catch {
            return "error \(error)"
        }
    }

    private static func answer(_ name: String, _ words: [String]) throws -> String {
        let bytes = try words.dropFirst().map(bytes)
        func argument(_ index: Int) throws -> [UInt8] {
            guard index < bytes.count else { throw Unknown(description: "too few words for \(name)") }
            return bytes[index]
        }
        switch name {
        case "kem-key":
            let pair = try MLKEM.DecapsulationKey(set(words), seed: argument(0))
            return text(pair.encapsulationKey.bytes, pair.bytes)
        case "kem-encapsulate":
            let told = try MLKEM.EncapsulationKey(set(words), argument(0)).encapsulate(message: argument(1))
            return text(told.ciphertext, told.secret)
        case "kem-decapsulate":
            return try text(
                MLKEM.DecapsulationKey(set(words), expanded: argument(0)).decapsulate(argument(1)))
        case "dsa-key":
            let pair = try MLDSA.SigningKey(set(words), seed: argument(0))
            return text(pair.verificationKey.bytes, pair.bytes)
        case "dsa-sign":
            let randomness = try argument(3)
            return try text(
                MLDSA.SigningKey(set(words), seed: argument(0)).sign(
                    argument(1), context: argument(2), randomness: randomness.isEmpty ? nil : randomness))
        case "dsa-verify":
            let key = try MLDSA.VerificationKey(set(words), argument(0))
            return try key.isValid(argument(3), for: argument(1), context: argument(2)) ? "1" : "0"
        default: throw Unknown(description: "no order \(name)")
        }
    }

    private static func set<Name: RawRepresentable<String>>(_ words: [String]) throws -> Name {
        guard let set = words.first.flatMap(Name.init(rawValue:)) else {
            throw Unknown(description: "no set \(words.first ?? "named")")
        }
        return set
    }

    private static func bytes(_ word: String) throws -> [UInt8] {
        if word == "-" { return [] }
        guard let bytes = Hex.decode(word) else { throw Unknown(description: "not hexadecimal: \(word)") }
        return bytes
    }

    private static func text(_ parts: [UInt8]...) -> String {
        parts.map { $0.isEmpty ? "-" : Hex.encode($0) }.joined(separator: " ")
    }
}
