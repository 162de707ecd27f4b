import HTTP
import PlatformKit
import Testing

/// Which answers say no. Sources: RFC 6749 §4.1.2.1, §4.2.2.1; OpenID Connect Core 1.0 §3.1.2.6; RFC 3986 §3.4, §3.5.
struct CarriedErrorTests {
    @Test(arguments: [
        (303, "https://app.example/cb?error=access_denied&state=x", true),
        (302, "https://app.example/cb?state=x&error=invalid_scope", true),
        (307, "com.example.app://cb#state=x&error=server_error", true),
        (303, "https://app.example/cb?a=1#error=invalid_request", true),
        (303, "/cb?error=something_else", true),
        (303, "https://app.example/cb?last_error=1", false),
        (303, "https://app.example/cb?state=error=1", false),
        (303, "https://app.example/cb?next=/x?error=1", false),
        (303, "https://app.example/error=1", false),
        (303, "https://app.example/cb?error=", false),
        (303, "https://app.example/cb?error_description=no", false),
        (303, "https://app.example/cb?code=x&state=y", false),
        (303, "https://app.example/cb?error=login_required", false),
        (303, "https://app.example/cb?error=interaction_required", false),
        (303, "https://app.example/cb?error=consent_required", false),
        (303, "https://app.example/cb#error=account_selection_required", false),
        (201, "https://app.example/cb?error=access_denied", false),
        (303, "", false),
        (404, "", true),
        (500, "https://app.example/cb?error=login_required", true),
    ])
    func `an error that a redirect carries is a refusal`(
        _ status: Int, _ location: String, _ isRefusal: Bool
    ) {
        var response = Response(status: Status(code: status))
        if !location.isEmpty { response.headers["Location"] = location }
        #expect(response.isRefusal == isRefusal)
    }
}
