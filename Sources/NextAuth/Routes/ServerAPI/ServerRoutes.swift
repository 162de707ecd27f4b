import HTTP
import PlatformKit

extension NextAuth {
    /// What back ends and their web pages call: the server API 2.2, the older API 0.0.3, and the WebSocket.
    static let serverRoutes: [Route<NextAuth>] =
        (serverAPI + oldAPI).flatMap(\.inBothForms).map { $0.for(.backEnd) }
        + webSocketRoutes.map { $0.for(.browser) }

    /// Source: API description 2.2, operation by operation.
    private static let serverAPI: [Route<NextAuth>] =
        globalCalls + serverCalls + userCalls + accountCalls + sessionCalls
        + AttributeLevel.allCases.flatMap(\.routes)

    private static let globalCalls: [Route<NextAuth>] = [
        .get("/apikeys", NextAuth.listAPIKeys),
        .post("/apikeys", NextAuth.createAPIKey),
    ]

    private static let serverCalls: [Route<NextAuth>] = [
        .get("/servers", NextAuth.listServers),
        .post("/servers", NextAuth.createServer),
        .get("/servers/:serverid", NextAuth.showServer),
        .put("/servers/:serverid", NextAuth.updateServer),
        .get("/servers/:serverid/vash", NextAuth.showVisualHash),
        .get("/servers/:serverid/permissions", NextAuth.listPermissions),
        .get("/servers/:serverid/permissions/:roleid", NextAuth.showPermissions),
        .post("/servers/:serverid/permissions/:roleid", NextAuth.grantPermissions),
        .delete("/servers/:serverid/permissions/:roleid", NextAuth.revokePermissions),
        .get("/servers/:serverid/transactions/:transactionid", NextAuth.showTransaction),
    ]

    private static let userCalls: [Route<NextAuth>] = [
        .get("/servers/:serverid/users", NextAuth.listUsers),
        .delete("/servers/:serverid/users/:userid", NextAuth.deleteUser),
        .get("/servers/:serverid/users/:userid/accounts", NextAuth.listUserAccounts),
        .delete("/servers/:serverid/users/:userid/accounts", NextAuth.deleteUserAccounts),
        .post("/servers/:serverid/users/:userid/provokelogin", NextAuth.provokeLoginOfUser),
        .get("/servers/:serverid/users/:userid/role", NextAuth.showUserRole),
        .post("/servers/:serverid/users/:userid/role", NextAuth.makeUserRole),
    ]

    private static let accountCalls: [Route<NextAuth>] = [
        .get("/servers/:serverid/accounts", NextAuth.listAccounts),
        .get("/servers/:serverid/accounts/:accountid", NextAuth.showAccount),
        .put("/servers/:serverid/accounts/:accountid", NextAuth.updateAccount),
        .delete("/servers/:serverid/accounts/:accountid", NextAuth.deleteAccount),
        .put("/servers/:serverid/accounts/:accountid/user", NextAuth.moveAccount),
        .post("/servers/:serverid/accounts/:accountid/provokelogin", NextAuth.provokeLoginOfAccount),
    ]

    /// Where a GET has a body, POST does the same: not every client and proxy sends the one with the other.
    private static let sessionCalls: [Route<NextAuth>] = [
        .get("/servers/:serverid/sessions", NextAuth.showSession),
        .get("/servers/:serverid/sessions/qr/login", NextAuth.showLoginCode),
        .post("/servers/:serverid/sessions/qr/login", NextAuth.showLoginCode),
        .get("/servers/:serverid/sessions/qr/enrol", NextAuth.showEnrolmentCode),
        .get("/servers/:serverid/sessions/html/login", NextAuth.showLoginBlock),
        .post("/servers/:serverid/sessions/html/login", NextAuth.showLoginBlock),
        .get("/servers/:serverid/sessions/html/enrol", NextAuth.showEnrolmentBlock),
        .get("/servers/:serverid/sessions/html/footer", NextAuth.showFooter),
        .post("/servers/:serverid/sessions/html/footer", NextAuth.showFooter),
        .post("/servers/:serverid/sessions/logout", NextAuth.logOutSession),
        .post("/servers/:serverid/sessions/provokelogin", NextAuth.provokeLogin),
        .post("/servers/:serverid/sessions/registeruser", NextAuth.registerUser),
        .post("/servers/:serverid/sessions/transactions", NextAuth.createTransaction),
    ]
}

extension Route where P == NextAuth {
    /// The pattern without and with a slash at its end. Nothing is redirected: clients lose method and headers on the way.
    fileprivate var inBothForms: [Route] {
        [pattern, pattern + "/"].map { Route(method, $0, handler) }
    }
}
