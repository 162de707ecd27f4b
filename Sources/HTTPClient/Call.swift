import HTTP

/// A request on its way to a URL.
struct Call {
    var method: Request.Method
    var url: ClientURL
    var headers: Headers
    var body: [UInt8]

    /// - Parameter connection: what becomes of it after this call.
    func bytes(_ connection: RequestWriter.ConnectionOption) throws(ClientError) -> [UInt8] {
        var fields: Headers = ["Host": headers["Host"] ?? url.authority]
        if headers["User-Agent"] == nil { fields.add("User-Agent", "understudy") }
        if headers["Accept"] == nil { fields.add("Accept", "*/*") }
        for field in headers.fields where !field.name.equalsIgnoringCase("Host") {
            fields.add(field.name, field.value)
        }
        do {
            return try RequestWriter.bytes(
                method, url.target, headers: fields, body: body, connection: connection)
        } catch {
            throw .malformedRequest(error.reason)
        }
    }

    /// The request that a redirect asks for; `nil` when `head` is none. Source: RFC 9110 §15.4.
    func following(_ head: ResponseHead) throws(ClientError) -> Call? {
        guard [301, 302, 303, 307, 308].contains(head.status.code), let location = head.headers["Location"]
        else {
            return nil
        }
        var next = self
        next.url = try url.resolving(location)
        next.headers["Host"] = nil
        // What was meant for one server is not shown to another.
        if next.url.origin != url.origin {
            for name in ["Authorization", "Cookie"] { next.headers[name] = nil }
        }
        if becomesGet(head.status) {
            (next.method, next.body) = (.get, [])
            next.headers["Content-Type"] = nil
        }
        return next
    }

    private func becomesGet(_ status: Status) -> Bool {
        switch status.code {
        case 303: method != .head
        case 301, 302: method == .post
        default: false
        }
    }
}
