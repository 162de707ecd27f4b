import COpenSSL

extension Certificate {
    /// Whether the basic constraints say that this is a CA; nil when there are none. Source: RFC 5280 §4.2.1.9.
    package func isAuthority() throws -> Bool? {
        guard let value = try extensionValue("2.5.29.19")?.value else { return nil }
        let parts = try DERElement(parsing: value).of(.sequence).children()
        guard let first = parts.first, first.tag == .boolean else { return false }
        return try first.boolean()
    }

    /// The object identifiers of the extended key usage; nil when there is none. Source: RFC 5280 §4.2.1.12.
    package func extendedKeyUsage() throws -> [String]? {
        guard let value = try extensionValue("2.5.29.37")?.value else { return nil }
        return try DERElement(parsing: value).of(.sequence).children().map { try $0.objectIdentifier() }
    }

    /// The subject alternative names; nil when there are none. Source: RFC 5280 §4.2.1.6.
    package func subjectAlternativeNames() throws -> [GeneralName]? {
        guard let value = try extensionValue("2.5.29.17")?.value else { return nil }
        return try DERElement(parsing: value).of(.sequence).children().map { element in
            switch (element.tag.scope, element.tag.number) {
            case (.context, 2): .dns(String(decoding: element.content, as: UTF8.self))
            case (.context, 4): .directory(try Self.name(element.bytes))
            default: .other(element.tag.number)
            }
        }
    }

    private static func name(_ der: [UInt8]) throws -> [NameAttribute] {
        defer { ERR_clear_error() }
        let name = try der.withUnsafeBufferPointer { bytes in
            var start = bytes.baseAddress
            return try require(d2i_X509_NAME(nil, &start, bytes.count), "d2i_X509_NAME")
        }
        defer { X509_NAME_free(name) }
        return try nameAttributes(name)
    }
}
