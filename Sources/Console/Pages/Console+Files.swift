import HTTP

extension Console {
    private static let types = [
        "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml",
        "png": "image/png", "ico": "image/vnd.microsoft.icon", "woff2": "font/woff2",
        "txt": "text/plain; charset=utf-8", "map": "application/json",
    ]

    /// `GET /_console/NAME`: a script, a style sheet or a picture of the pages. It is asked for again with its `ETag`.
    func file(_ name: String, _ request: Request) throws -> Response {
        let absent = ControlError.absent("The console has no file “\(name.shortened)”.")
        guard Self.isPlain(name),
            let type = Self.types[name.split(separator: ".").last.map(String.init) ?? ""],
            let bytes = web.read(name)
        else { throw absent }
        let tag = Self.tag(of: bytes)
        let headers: Headers = ["Content-Type": type, "ETag": tag, "Cache-Control": "no-cache"]
        // RFC 9110 §13.1.2.
        let known = request.headers.values(of: "If-None-Match")
            .flatMap { $0.split(separator: ",") }.map { String($0.filter { $0 != " " }) }
        if known.contains(where: { $0 == tag || $0 == "W/" + tag || $0 == "*" }) {
            return Response(status: .notModified, headers: headers)
        }
        return Response(headers: headers, body: bytes)
    }

    /// Folders and names of plain characters; none begins with a dot, so none leads upwards.
    private static func isPlain(_ name: String) -> Bool {
        name.wholeMatch(of: /[A-Za-z0-9_-][A-Za-z0-9._-]*(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)*/) != nil
    }

    /// FNV-1a of 64 bits: it need only change when the file does.
    private static func tag(of bytes: [UInt8]) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return "\"" + String(hash, radix: 16) + "\""
    }
}
