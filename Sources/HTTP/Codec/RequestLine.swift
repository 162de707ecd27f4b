import Essentials

/// Method, target and version. Source: RFC 9112 §3.
struct RequestLine {
    var method: Request.Method
    /// Always begins with `/`. The target `*` of `OPTIONS` is the path `/*`.
    var path: String
    var query: String?
    /// From a target in absolute form; it replaces `Host`. Source: RFC 9112 §3.2.2.
    var authority: String?
    var isHTTP10: Bool

    /// Longer than any method in the registry; the answer is 501. Source: RFC 9112 §3.
    private static let longestMethod = 32

    init(_ line: UnsafeBufferPointer<UInt8>) throws(WireFault) {
        guard let first = line.firstIndex(of: 0x20), let last = line.lastIndex(of: 0x20), first < last else {
            throw .malformed("\(excerpt(line)) is not a request line: METHOD TARGET HTTP/1.1")
        }
        method = try Self.method(line[..<first])
        let target = UnsafeBufferPointer(rebasing: line[(first + 1)..<last])
        try Self.check(target)
        if CombiningMarks.areTooMany(in: target) {
            throw .malformed("the target cannot be read: \(CombiningMarks.sentence)")
        }
        isHTTP10 = try Self.isHTTP10(line[(last + 1)...])
        (path, query) = ("/", nil)
        try setTarget(target)
    }

    private static func method(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) throws(WireFault) -> Request.Method
    {
        if bytes.isEmpty { throw .malformed("the request line begins with a space; the method is missing") }
        guard bytes.allSatisfy(\.isToken) else {
            throw .malformed("\(excerpt(bytes)) is not a method (RFC 9110 §9.1)")
        }
        guard bytes.count <= longestMethod else {
            throw WireFault(
                .notImplemented, "the method \(excerpt(bytes)) is longer than any method there is")
        }
        if bytes.equals("CONNECT") {
            throw WireFault(.notImplemented, "CONNECT asks for a tunnel; this server is not a proxy")
        }
        return Request.Method(rawValue: String(decoding: bytes, as: UTF8.self))
    }

    private static func check(_ target: UnsafeBufferPointer<UInt8>) throws(WireFault) {
        if target.isEmpty { throw .malformed("two spaces follow the method; the target is missing") }
        for byte in target where byte <= 0x20 || byte >= 0x7F || byte == UInt8(ascii: "#") {
            switch byte {
            case 0x20, 0x09: throw .malformed("the target has a space inside; encode it as %20")
            case UInt8(ascii: "#"):
                throw .malformed("the target has a fragment (#…); clients keep it to themselves")
            default: throw .malformed("the target has a byte that is not visible ASCII; percent-encode it")
            }
        }
    }

    private static func isHTTP10(_ version: Slice<UnsafeBufferPointer<UInt8>>) throws(WireFault) -> Bool {
        if version.equals("HTTP/1.1") { return false }
        if version.equals("HTTP/1.0") { return true }
        guard version.starts(with: "HTTP/".utf8) else {
            throw .malformed("the request line ends in \(excerpt(version)), not in HTTP/1.1")
        }
        throw WireFault(
            .versionNotSupported, "the version is \(excerpt(version)); HTTP/1.1 and HTTP/1.0 are spoken here")
    }

    private mutating func setTarget(_ target: UnsafeBufferPointer<UInt8>) throws(WireFault) {
        if target.first == UInt8(ascii: "/") { return setPath(target[...]) }
        if target.count == 1, target.first == UInt8(ascii: "*"), method == .options { return path = "/*" }
        guard let authorityStart = Self.afterScheme(target) else {
            throw .malformed("the target \(excerpt(target)) is neither a path nor an http URL")
        }
        let rest = target[authorityStart...]
        let end = rest.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? rest.endIndex
        guard Authority.isValid(rest[..<end]) else {
            throw .malformed("the target names the malformed host \(excerpt(rest[..<end]))")
        }
        authority = String(decoding: rest[..<end], as: UTF8.self)
        setPath(rest[end...])
    }

    private mutating func setPath(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) {
        let mark = bytes.firstIndex(of: UInt8(ascii: "?"))
        let name = bytes[..<(mark ?? bytes.endIndex)]
        path = name.isEmpty ? "/" : String(decoding: name, as: UTF8.self)
        query = mark.map { String(decoding: bytes[($0 + 1)...], as: UTF8.self) }
    }

    private static func afterScheme(_ target: UnsafeBufferPointer<UInt8>) -> Int? {
        if target.prefix(7).equals(lowercase: "http://") { return 7 }
        if target.prefix(8).equals(lowercase: "https://") { return 8 }
        return nil
    }
}
