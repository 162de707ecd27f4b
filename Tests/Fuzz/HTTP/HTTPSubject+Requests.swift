import HTTP

extension HTTPSubject {
    /// What every accepted request promises to those who get it.
    func checkAccepted(_ parsed: RequestParser.Parsed, _ limits: Limits) throws(Violation) {
        let request = parsed.request
        guard request.path.utf8.first == UInt8(ascii: "/"),
            (request.path + (request.query ?? "")).utf8.allSatisfy({
                $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#")
            })
        else { throw Violation("the path is \(request.path)") }
        let limit = router.bodyLimit(request.method, request.path) ?? limits.bodyBytes
        guard request.body.count <= limit else { throw Violation("a body of \(request.body.count) bytes") }
        guard request.headers.fields.count <= 100 else { throw Violation("too many fields") }
        guard request.headers.values(of: "Host").count == 1 || parsed.isHTTP10 else {
            throw Violation("no Host")
        }
        for field in request.headers.fields {
            let hasControl = field.value.utf8.contains { ($0 < 0x20 && $0 != 0x09) || $0 == 0x7F }
            if hasControl || field.name.isEmpty { throw Violation("the field \(field)") }
        }
        try checkAgain(parsed)
        try checkAnswer(parsed)
    }

    /// A request written out plainly says the same: no part of it was taken for another.
    private func checkAgain(_ parsed: RequestParser.Parsed) throws(Violation) {
        let request = parsed.request
        var text = request.method.rawValue + " " + request.path + (request.query.map { "?" + $0 } ?? "")
        text += parsed.isHTTP10 ? " HTTP/1.0\r\n" : " HTTP/1.1\r\n"
        let framing = ["content-length", "transfer-encoding"]
        let fields = request.headers.fields.filter { field in
            !framing.contains { field.name.equalsIgnoringCase($0) }
        }
        for field in fields { text += "\(field.name): \(field.value)\r\n" }
        text += "Content-Length: \(request.body.count)\r\n\r\n"
        var limits = Limits()
        limits.headBytes *= 4
        var parser = RequestParser(limits: limits, peer: .local) { _, _ in nil }
        ([UInt8](text.utf8) + request.body).withUnsafeBytes { parser.append($0) }
        guard case .request(let again) = parser.next(), again.request.body == request.body,
            again.request.path == request.path, again.request.query == request.query,
            again.keepsAlive == parsed.keepsAlive,
            again.request.headers.fields.dropLast() == fields[...]
        else { throw Violation("written out, it reads differently: \(text)") }
    }

    /// Values from the request in an answer do not change the answer's frame.
    private func checkAnswer(_ parsed: RequestParser.Parsed) throws(Violation) {
        var response = Response(body: parsed.request.body)
        response.headers.add("X-Path", parsed.request.path.removingPercent)
        response.headers.add(parsed.request.path.removingPercent, "1")
        response.headers.add("X-Body", String(decoding: parsed.request.body, as: UTF8.self))
        let framing = ResponseWriter.Framing(
            isHead: false, isHTTP10: parsed.isHTTP10, keepsAlive: parsed.keepsAlive)
        var bytes: [UInt8] = []
        ResponseWriter.write(response, framing: framing, date: "D", into: &bytes)
        let answer = try? answer(in: bytes) { _ in bytes.count }  // A fault is the violation that follows.
        guard let answer, answer.isWhole, answer.body == parsed.request.body, answer.head?.status == .ok,
            answer.head?.headers.values(of: "Content-Length") == ["\(parsed.request.body.count)"]
        else { throw Violation("the answer's frame is broken: \(String(decoding: bytes, as: UTF8.self))") }
    }
}

extension String {
    fileprivate var removingPercent: String { Form("=" + replacing("&", with: ""))[""] ?? "" }
}
