import Crypto

/// What a code says, as text: `na1;T;BASE;SERVERID;HSID;TICKET`.
///
/// The same bytes stand in QR codes, in `loginqrdata` and behind the scheme of a link. Ours: the vendor's content is not public.
struct CodeData: Sendable, Equatable {
    enum Kind: String, Sendable {
        case login = "L"
        case enrol = "E"
        case sign = "S"
    }

    var kind: Kind
    /// Address of this platform, without a slash at the end.
    var base: String
    /// In the spelling in which ids are kept.
    var server: String
    var hsid: String
    /// For enrolments and signatures.
    var ticket: String?

    static let version = "na1"

    var text: String {
        ([Self.version, kind.rawValue, base, Server.urlSafe(server), hsid] + (ticket.map { [$0] } ?? []))
            .joined(separator: ";")
    }
}

extension CodeData {
    /// - Throws: a sentence that says what is wrong.
    init(parsing text: String) throws(DeviceRefusal) {
        let parts = text.split(separator: ";", omittingEmptySubsequences: false).map(String.init)
        guard parts.first == Self.version else {
            throw .malformed(
                "The code data begins with “\((parts.first ?? "").prefix(20))”, expected “na1;”. It may be a code of the "
                    + "vendor's own server.")
        }
        guard parts.count >= 5, let kind = Kind(rawValue: parts[1]) else {
            throw .malformed(
                "The code data is not of the form na1;T;BASE;SERVERID;HSID[;TICKET] with T of L, E, S.")
        }
        let ticket = parts.count > 5 && !parts[5].isEmpty ? parts[5] : nil
        guard kind == .login || ticket != nil else {
            throw .malformed(
                "A code of the type \(kind.rawValue) has a ticket behind the session id; this one has none.")
        }
        guard Base64URL.decode(parts[4])?.count == 32 else {
            throw .malformed("The session id of the code is not base64url of 32 bytes.")
        }
        self.init(
            kind: kind, base: parts[2], server: Server.standardID(parts[3]), hsid: parts[4], ticket: ticket)
    }
}

extension CodeData {
    /// The same from what an app may hold of it: the text, its base64url or Base64 (`loginqrdata`), or a link with that behind the
    /// scheme.
    init(reading data: String) throws(DeviceRefusal) {
        let encoded = data.split(separator: ":").last.map(String.init) ?? data
        guard !data.hasPrefix(Self.version + ";"),
            let bytes = Base64URL.decode(encoded, allowingPadding: true) ?? Base64.decode(encoded)
        else {
            try self.init(parsing: data)
            return
        }
        try self.init(parsing: String(decoding: bytes, as: UTF8.self))
    }
}
