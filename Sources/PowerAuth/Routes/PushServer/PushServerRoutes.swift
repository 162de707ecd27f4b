import HTTP
import PlatformKit

extension PowerAuth {
    /// The push server, at `/powerauth-push-server`: devices, pushes and the inbox, as an enrollment server in front calls it. Like the real
    /// one it asks nobody who they are.
    static let pushServerRoutes: [Route<PowerAuth>] =
        [
            .get("/push/service/status", PowerAuth.showPushService),

            .post("/push/device/create", PowerAuth.createPushDevice),
            .post("/push/device/create/multi", PowerAuth.createSharedPushDevice),
            .post("/push/device/delete", PowerAuth.deletePushDevice),
            .delete("/push/device/delete", PowerAuth.deletePushDevice),
            .post("/push/device/status/update", PowerAuth.updatePushDevice),
            .put("/push/device/status/update", PowerAuth.updatePushDevice),

            .post("/push/message/send", PowerAuth.sendPush),
            .post("/push/message/batch/send", PowerAuth.sendPushes),

            .post("/inbox/messages", PowerAuth.postInboxMessage),
            .get("/inbox/messages/list", PowerAuth.listInboxOfUser),
            .get("/inbox/messages/count", PowerAuth.countInboxOfUser),
            .get("/inbox/messages/detail", PowerAuth.showInboxMessageByID),
            .post("/inbox/messages/read", PowerAuth.markInboxMessageRead),
            .post("/inbox/messages/read-all", PowerAuth.markInboxOfUserRead),
        ]
        + ["/push/campaign/*rest", "/admin/*rest"].flatMap { pattern in
            [Request.Method.get, .post, .put, .delete].map { Route($0, pattern, PowerAuth.refusePushService) }
        }

    /// Any method at `/push/campaign/…` and `/admin/…`: campaigns, and credentials of push services.
    ///
    /// - Request: anything.
    /// - Response: none.
    /// - Errors: 501 `ERROR_GENERIC` always.
    /// - Source: documentation of the PowerAuth Push Server, “Push Server API”.
    func refusePushService(_ request: Request) throws -> Response {
        var refusal = PushServerRefusal(
            .generic,
            "Campaigns and the administration of the push server are not emulated: pushes end in the outbox, and need no credentials."
        )
        refusal.status = .notImplemented
        throw refusal
    }
}
