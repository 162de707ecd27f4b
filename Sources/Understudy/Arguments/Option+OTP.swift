/// What `otp` can be told beyond the server that is meant.
extension Option {
    static let otp: [Option] = [otpType, message, otpUser, apiClient, otpWait, callback, light]

    static let otpType = Option.one(
        "type", "NAME", default: "qr-code",
        "the type of mobile authentication, by its name in the token server"
    ).twin("otp-type")
    static let message = Option.one(
        "message", "TEXT", default: "Confirm this login?", "what the device shows to its user"
    ).twin("otp-message")
    static let otpUser = Option.one(
        "user", "ID", default: "anybody",
        "who has to confirm (start), who confirms (confirm), whose transactions (list)"
    ).twin("otp-user")
    static let apiClient = Option.one(
        "client", "ID:SECRET", default: "portal-api:portal-api-secret",
        "the API client that starts the transaction"
    ).twin("otp-client")
    static let otpWait = Option.one(
        "wait", "TIME", default: "120s", "how long to wait for the decision; 0s prints the code and exits"
    ).twin("otp-wait")
    static let callback = Option.one(
        "callback", "URL", default: "an address of the world itself",
        "where the token server announces the result"
    ).twin("otp-callback")
    static let light = Option.flag("light", "for a light terminal without colours")
}
