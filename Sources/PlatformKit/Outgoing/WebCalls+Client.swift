import HTTP
import HTTPClient

extension WebCalls {
    /// - Parameter waits: is told of every call.
    static func client(waits: WaitNotice?) -> WebCalls {
        let client = HTTPClient(timeout: 5, bodyBytes: 1024 * 1024)
        return WebCalls { method, url, headers, body in
            waits?.begin()
            defer { waits?.end() }
            do {
                let answer = try client.send(method, url, headers: headers, body: body)
                return Response(status: answer.status, headers: answer.headers, body: answer.body)
            } catch {
                throw WebCallFailed("\(error)")
            }
        }
    }
}
