import Essentials
import HTTP
import PlatformKit

extension PowerAuth {
    /// `POST /pa/v3/status`: the server's time, by which devices set their clocks.
    ///
    /// - Request: anything, also nothing.
    /// - Response: `200 {"status":"OK","responseObject":{"serverTime":ms,"application":{"name","version"}}}`.
    /// - Errors: none.
    /// - Source: PowerAuth documentation, «Server status»; the name is ours.
    func serverStatus(_ request: Request) throws -> Response {
        .powerAuth(responseObject: [
            "serverTime": .integer(services.clock.now().milliseconds),
            "application": ["name": "understudy", "version": .string(EmulatedServer.version)],
        ])
    }
}
