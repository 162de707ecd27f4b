import Essentials
package import HTTP
import HTTPClient
import Synchronization

/// A real service and the client that calls it.
///
/// A class for the settings of TLS, which all exchanges with the service share.
package final class UpstreamServer: Sendable {
    package let upstream: Upstream
    let client: HTTPClient
    let means: UpstreamMeans
    /// The one that was made last: most requests come to the same address.
    private let last = Mutex<Passage?>(nil)

    /// Seconds for an answer to begin, and for a text to be whole; and for the next bytes of a stream.
    package static let seconds = 30.0
    /// Bytes of a text whose addresses are exchanged.
    package static let textBytes = 4 * 1024 * 1024
    /// Bytes of another body that is held whole, so that the journal has it; longer ones are passed on as they come.
    static let heldBytes = 256 * 1024

    package init(_ upstream: Upstream, _ means: UpstreamMeans) {
        (self.upstream, self.means) = (upstream, means)
        client = HTTPClient(
            timeout: Self.seconds, trust: upstream.ca.map { .certificates(pem: $0) } ?? .system,
            kept: means.kept)
    }

    /// What changes between us and the service for a client that has the mount at `ours`.
    ///
    /// - Parameters:
    ///   - ours: the base URL of the mount as its client has it.
    ///   - others: base URLs of the world's other services, and of ours.
    package func passage(from ours: String, others: [AddressTable.Pair], via: String) -> Passage {
        last.withLock { last in
            // The first pair is that of the mount itself.
            if let last, last.ours == ours, last.table.pairs.dropFirst().elementsEqual(others),
                last.via == via
            {
                return last
            }
            let new = Passage(ours: ours, to: upstream, others: others, via: via)
            last = new
            return new
        }
    }

    /// An answer as our client gets it, and what the journal says of it.
    package struct Answer: Sendable {
        package var response: Response
        package let remark: String?
    }

    /// Asks the service; the calling thread waits. No redirect is followed: nobody but the service itself is called.
    ///
    /// - Parameter waits: is told when a thread begins to wait, and when it goes on.
    package func answer(
        _ question: Passage.Question, through passage: Passage, waits: UpstreamWaits
    ) throws(UpstreamFailure) -> Answer {
        guard let place = means.gate.enter() else { throw .busy(upstream.url, means.gate.most) }
        waits.begin()
        defer { waits.end() }
        let end = ContinuousClock.now + .seconds(Self.seconds)
        let stream: ResponseStream
        do {
            stream = try client.stream(
                question.method, question.url, headers: question.headers, body: question.body)
        } catch {
            throw .of(error, upstream.url)
        }
        return try answer(of: stream, to: question, through: passage, place, waits, until: end)
    }

    /// - Parameter stream: of which the head has come.
    func answer(
        of stream: sending ResponseStream, to question: Passage.Question, through passage: Passage,
        _ place: UpstreamGate.Place, _ waits: UpstreamWaits, until end: ContinuousClock.Instant
    ) throws(UpstreamFailure) -> Answer {
        var response = Response(status: stream.status, headers: passage.ours(stream.headers))
        if question.method == .head {
            // The length is that of another body than ours.
            response.body = .pieces(BodyPieces { nil })
            return Answer(response: response, remark: nil)
        }
        if isPassedOn(stream, passage) {
            response.body = .pieces(pieces(stream, place, waits))
            return Answer(
                response: response, remark: "Its body was passed on as it came, and is not kept here.")
        }
        let body = try whole(stream, place, until: end)
        response.body = .bytes(passage.ours(body, stream.headers))
        return Answer(response: response, remark: passage.remark(on: stream.headers))
    }

    /// Whether a body is no text, and long or of a length that nobody knows.
    private func isPassedOn(_ stream: ResponseStream, _ passage: Passage) -> Bool {
        if passage.isRewritten(stream.headers) { return false }
        guard let length = stream.headers["Content-Length"].flatMap({ Int($0) }) else {
            return stream.status.code != 204 && stream.status.code != 304
        }
        return length > Self.heldBytes
    }

    private func whole(
        _ stream: ResponseStream, _ place: UpstreamGate.Place, until end: ContinuousClock.Instant
    ) throws(UpstreamFailure) -> [UInt8] {
        var body: [UInt8] = []
        do {
            while let piece = try stream.next(timeout: max(0, (end - ContinuousClock.now) / .seconds(1))) {
                body += piece
                guard body.count <= Self.textBytes else {
                    throw UpstreamFailure.tooLong(upstream.url, Self.textBytes)
                }
                guard place.hold(2 * piece.count) else { throw UpstreamFailure.full(upstream.url) }
                guard end > ContinuousClock.now else {
                    throw UpstreamFailure.timedOut(
                        upstream.url, "timed out: no whole answer after \(Int(Self.seconds)) s")
                }
            }
            // Nothing in this program compares or searches such a text, which would take minutes.
            guard !CombiningMarks.areTooMany(in: body) else {
                throw UpstreamFailure.unreachable(
                    upstream.url, "its text is refused, since \(CombiningMarks.sentence)")
            }
            return body
        } catch let failure as UpstreamFailure {
            throw failure
        } catch let error as ClientError {
            throw .of(error, upstream.url)
        } catch {
            throw .unreachable(upstream.url, "\(error)")
        }
    }

    /// What streams hold: the connection, and a place among those who wait.
    private func pieces(_ stream: sending ResponseStream, _ place: UpstreamGate.Place, _ waits: UpstreamWaits)
        -> BodyPieces
    {
        // One thread at a time asks for a piece; the lock lets the compiler see that.
        let kept = Mutex(stream)
        return BodyPieces { [place] in
            _ = place
            waits.begin()
            defer { waits.end() }
            return try kept.withLock { try $0.next(timeout: Self.seconds) }
        }
    }
}

/// Who is told that a thread waits for another server.
package struct UpstreamWaits: Sendable {
    package let begin: @Sendable () -> Void
    package let end: @Sendable () -> Void

    package init(begin: @escaping @Sendable () -> Void, end: @escaping @Sendable () -> Void) {
        (self.begin, self.end) = (begin, end)
    }
}
