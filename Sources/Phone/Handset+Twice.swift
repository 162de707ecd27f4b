import Dispatch
package import HTTP
import Synchronization

extension Handset {
    /// The same request two times at the same moment, as ``send(_:_:headers:body:)`` sends one.
    package func sendTwice(
        _ method: String, _ path: String, headers: [(name: String, value: String)], body: [UInt8]
    ) throws -> [Response] {
        let answers = Mutex<[Result<Response, any Error>]>([])
        DispatchQueue.concurrentPerform(iterations: 2) { _ in
            let answer = Result { try send(method, path, headers: headers, body: body) }
            answers.withLock { $0.append(answer) }
        }
        return try answers.withLock { $0 }.map { try $0.get() }
    }
}
