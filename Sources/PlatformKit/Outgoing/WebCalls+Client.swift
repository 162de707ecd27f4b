import HTTP
import HTTPClient

extension WebCalls {
    /// - Parameters:
    ///   - waits: is told of every call.
    ///   - trust: which servers are believed over TLS.
    ///   - silent: is told of calls without an answer.
    static func client(waits: WaitNotice?, trust: HTTPClient.Trust, silent: SilentCalls) -> WebCalls {
        let client = HTTPClient(timeout: 5, bodyBytes: 1024 * 1024, trust: trust)
        return WebCalls { method, url, headers, body in
            waits?.begin()
            defer { waits?.end() }
            do {
                let answer = try client.send(method, url, headers: headers, body: body)
                return Response(status: answer.status, headers: answer.headers, body: answer.body)
            } catch {
                silent.add(url)
                throw WebCallFailed("\(error)")
            }
        }
    }
}
