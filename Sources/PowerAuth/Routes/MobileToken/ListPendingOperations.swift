import Essentials
import HTTP
import PlatformKit

extension PowerAuth {
    /// Operations that a list shows at most.
    private static let listedOperations = 100

    /// `POST /api/auth/token/app/operation/list`: what waits for the user on this device.
    ///
    /// - Request: `{}`, with a MAC token; `Accept-Language` chooses the texts.
    /// - Response: `200`, envelope with `currentTimestamp` and a list of operations, newest first, at most 100. Those of a type that
    ///   has no mobile template are left out.
    /// - Errors: 401 `POWERAUTH_AUTH_FAIL`.
    /// - Source: Mobile Token documentation, “Mobile Token API”.
    func listPendingOperations(_ request: Request) throws -> Response {
        let (found, known, now) = try change { turn -> ([Operation], Templates, Date) in
            try withDevice(request, in: turn) { device in
                let query = device.operationQuery(size: Self.listedOperations)
                let found = try Operation.pending(query, at: turn.now, in: turn.db)
                return (found, try world.templates(in: turn.db), turn.now)
            }
        }
        return listed(found, known, request, at: now, hasTime: true)
    }

    /// `POST /api/auth/token/app/operation/history`: what there was for the user on this device, in any state.
    ///
    /// - Request: `{}`, signed by two factors for `/operation/history`.
    /// - Response: as above, without `currentTimestamp`; cancelled ones have a `statusReason` when there is one.
    /// - Errors: 401 `POWERAUTH_AUTH_FAIL`.
    /// - Source: Mobile Token documentation, “Mobile Token API”.
    func listOperationHistory(_ request: Request) throws -> Response {
        let (found, known, now) = try change { turn -> ([Operation], Templates, Date) in
            try withDevice(
                request, signing: "/operation/history",
                types: [.possessionKnowledge, .possessionBiometry], in: turn
            ) { device in
                let query = device.operationQuery(size: Self.listedOperations)
                let found = try Operation.all(query, at: turn.now, in: turn.db)
                return (found, try world.templates(in: turn.db), turn.now)
            }
        }
        return listed(found, known, request, at: now, hasTime: false)
    }

    private func listed(
        _ found: [Operation], _ templates: Templates, _ request: Request, at now: Date, hasTime: Bool
    ) -> Response {
        let language = AcceptLanguage.primary(of: request.headers["Accept-Language"])
        let shown = found.compactMap { operation in
            templates.mobile(operation.type, in: language).map {
                operation.mobileJSON($0, language: language, at: now)
            }
        }
        return .tokenAPI(shown.jsonArray, at: hasTime ? now : nil)
    }
}

extension Authenticated {
    /// What this device may see.
    func operationQuery(size: Int) -> OperationQuery {
        OperationQuery(
            user: activation.user, applications: [application.id], activation: activation.id,
            flags: activation.flags, page: ListPage(size: size))
    }
}

extension Response {
    /// A success of the Mobile Token API whose `responseObject` is JSON text already.
    ///
    /// - Parameter now: as `currentTimestamp`, where it belongs.
    static func tokenAPI(_ object: [UInt8], at now: Date? = nil) -> Response {
        var writer = JSONObjectWriter()
        writer.add("status", "OK")
        if let now { writer.add("currentTimestamp", .string(Timestamp.text(now, .seconds))) }
        writer.add("responseObject", json: object)
        return Response(headers: ["Content-Type": "application/json"], body: writer.bytes)
    }
}
