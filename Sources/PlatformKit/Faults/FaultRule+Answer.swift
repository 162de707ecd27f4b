import Dispatch
import Essentials
import HTTP
import Synchronization

// What leaves in the place of an answer, or of its body.
extension FaultRule {
    /// The answer in the place of the platform's.
    func answer<P: Platform>(_: P.Type, at now: Date) throws -> Response {
        guard let answer = effect.answer else {
            var response = try P.errorResponse(.tooManyRequests)
            response.headers["Retry-After"] = String(secondsToWait(at: now))
            return response
        }
        let status = Status(code: answer.status)
        guard answer.body != nil || answer.headers != nil else { return try P.errorResponse(status) }
        var response = Response(
            status: status, body: answer.body.map { $0.string.map { Array($0.utf8) } ?? $0.bytes } ?? [])
        if let body = answer.body {
            response.headers["Content-Type"] =
                body.string == nil ? "application/json" : "text/plain; charset=utf-8"
        }
        for (name, value) in (answer.headers ?? [:]).sorted(by: { $0.key < $1.key }) {
            response.headers[name] = value
        }
        return response
    }

    /// Of a strike at an answer that was there.
    func sentence(spoiling response: Response) -> String {
        let (fault, count) = ("The fault “\(name)”", response.bytes.count)
        if let truncate = effect.truncate {
            return "\(fault) ended this answer after \(truncate.bytes) of the \(count) bytes of its body."
        }
        if let trickle = effect.trickle {
            return
                "\(fault) sent the body of this answer in pieces of \(trickle.bytes) bytes, one each \(trickle.seconds.plain) s."
        }
        let how = effect.reset == nil ? "closed" : "reset"
        return
            "\(fault) \(how) the connection instead of sending this answer; what the request asked for was done."
    }
}

extension FaultEffect {
    /// Whether there is something in the answer that it can spoil.
    func spoils(_ response: Response) -> Bool {
        if let truncate { return response.bytes.count > truncate.bytes }
        if let trickle { return response.bytes.count > trickle.bytes }
        return drop != nil || reset != nil
    }

    /// How such an answer leaves.
    func spoilt(_ response: Response) -> Response.Body {
        if let truncate {
            return .cut(.init(body: response.bytes, sent: truncate.bytes))
        }
        if let trickle { return Self.trickling(response.bytes, trickle) }
        return .cut(.init(isReset: reset != nil))
    }

    private static func trickling(_ bytes: [UInt8], _ trickle: Trickle) -> Response.Body {
        .stream(
            BodyStream { writer in
                let pieces = Pieces(bytes, trickle, writer)
                pieces.sendNext()
                return { pieces.stop() }
            })
    }
}

/// A body on its way, piece by piece. Between two pieces it costs no thread.
private final class Pieces: Sendable {
    private let bytes: [UInt8]
    private let trickle: FaultEffect.Trickle
    private let writer: BodyStream.Writer
    /// Nil when nothing is to be sent any more.
    private let next = Mutex<Int?>(0)

    init(_ bytes: [UInt8], _ trickle: FaultEffect.Trickle, _ writer: BodyStream.Writer) {
        (self.bytes, self.trickle, self.writer) = (bytes, trickle, writer)
    }

    func sendNext() {
        let piece = next.withLock { next -> ArraySlice<UInt8>? in
            guard let start = next else { return nil }
            let end = min(start + trickle.bytes, bytes.count)
            next = end
            return bytes[start..<end]
        }
        guard let piece else { return }
        guard writer.write(Array(piece)) else { return stop() }
        if piece.endIndex == bytes.count { return writer.close() }
        DispatchQueue.global().asyncAfter(deadline: .now() + trickle.seconds) { [self] in sendNext() }
    }

    func stop() { next.withLock { $0 = nil } }
}

extension Callbacks {
    /// Those of a request that `faults` are about.
    func struck(by faults: FaultStrikes) -> Callbacks {
        Callbacks { [send] callback in
            guard let delivery = faults.strike(on: callback)?.delivery else { return send(callback) }
            switch delivery.fate {
            case .lost: break
            case .twice:
                send(callback)
                send(callback)
            case .late:
                DispatchQueue.global().asyncAfter(deadline: .now() + (delivery.seconds ?? 0)) {
                    send(callback)
                }
            }
        }
    }
}
