import HTTP
import HTTPClient

extension WebCalls {
    /// - Parameters:
    ///   - waits: is told of every call.
    ///   - trust: which servers are believed over TLS.
    ///   - gate: says which may be made, and is told of those without an answer.
    static func client(waits: WaitNotice?, trust: HTTPClient.Trust, gate: CallGate) -> WebCalls {
        let client = HTTPClient(timeout: 5, bodyBytes: 1024 * 1024, trust: trust)
        return WebCalls { method, url, headers, body in
            do {
                try gate.admit(url)
                waits?.begin()
                defer { waits?.end() }
                let answer = try client.send(method, url, headers: headers, body: body)
                return Response(status: answer.status, headers: answer.headers, body: answer.body)
            } catch {
                gate.noteUnanswered(url)
                throw WebCallFailed("\(error)")
            }
        }
    }
}
