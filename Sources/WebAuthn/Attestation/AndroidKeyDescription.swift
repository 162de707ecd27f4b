import Crypto

/// What Android's key store says of a key. Source: Android developers, “Key and ID attestation”, schema of the certificate extension.
struct AndroidKeyDescription {
    static let extensionType = "1.3.6.1.4.1.11129.2.1.17"

    let challenge: [UInt8]
    /// Of both lists, that of software and that of the trusted environment.
    let origins: [Int]
    let purposes: [Int]
    let isForAllApplications: Bool

    private struct Malformed: Error, CustomStringConvertible {
        let description: String
    }

    private enum Field {
        static let purpose = 1
        static let allApplications = 600
        static let origin = 702
    }

    /// Security levels may be INTEGER as well as ENUMERATED: the standard's own example has the former.
    init(_ der: [UInt8]) throws {
        let parts = try DERElement(parsing: der).of(.sequence).children()
        guard parts.count >= 8 else {
            throw Malformed(description: "\(parts.count) parts instead of 8")
        }
        for index in 0..<4 { _ = try parts[index].integer() }
        challenge = try parts[4].of(.octetString).bytes
        let fields = try parts[6].of(.sequence).children() + parts[7].of(.sequence).children()
        func values(_ number: Int) throws -> [DERElement] {
            try fields.filter { $0.tag == .context(number) }.flatMap { try $0.children() }
        }
        origins = try values(Field.origin).map { try $0.integer() }
        purposes = try values(Field.purpose).flatMap { try $0.of(.set).children() }.map { try $0.integer() }
        isForAllApplications = fields.contains {
            $0.tag.scope == .context && $0.tag.number == Field.allApplications
        }
    }
}
