import HTTP
import HTTPServer
import PlatformKit
import Synchronization

/// The dispatcher as the server knows it.
struct Answering: Responder {
    let dispatcher: Dispatcher
    let log: AccessLog?

    func respond(to request: Request) -> Response {
        guard let log else { return dispatcher.respond(to: request) }
        let start = ContinuousClock.now
        return Self.note(dispatcher.respond(to: request), to: request, since: start, in: log)
    }

    /// An answer that is not there yet is logged when it is.
    private static func note(
        _ response: Response, to request: Request, since start: ContinuousClock.Instant, in log: AccessLog
    ) -> Response {
        if case .waiting(let wait) = response.body {
            return .waiting(wait.finished { note(try $0(), to: request, since: start, in: log) })
        }
        log.note(request, response, took: start.duration(to: .now))
        return response
    }

    func refuse(_ request: Request, because fault: WireFault) -> Response { respond(to: request) }

    func note(_ incident: Incident) { dispatcher.note(incident.event, incident.explanation) }

    func bodyLimit(_ method: Request.Method, _ path: String) -> Int? { dispatcher.bodyLimit(method, path) }
}
