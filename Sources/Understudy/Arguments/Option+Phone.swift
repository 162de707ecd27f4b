/// What `phone` can be told beyond the server that is meant.
extension Option {
    static let phone: [Option] = [
        phoneOwner, phoneUser, phoneModel, phoneWait, phoneWay, phonePIN, phoneOTP, phoneMethod, phoneBody,
        phoneToken,
        phoneMail, phonePlatform, phoneProtocol, phoneAfter, phoneFault, phoneKind, phonePicture, phonePUK,
        phoneProvider, phoneAccount, phoneSDK,
    ]

    static let phoneOwner = Option.one(
        "owner", "ID", default: "nobody", "its owner's user id at the platforms (create)"
    ).twin("phone-owner")
    static let phoneUser = Option.one(
        "user", "ID", default: "the owner", "whose account it is (enrol); the same as --owner (create)"
    ).twin("phone-user")
    static let phoneModel = Option.one("model", "ios|android", default: "ios", "its model (create)").twin(
        "phone-model")
    static let phoneWait = Option.one(
        "wait", "TIME", default: "0s",
        "how long to wait for something to approve, decline or show (at most 60s)"
    ).twin("phone-wait")
    static let phoneWay = Option.one(
        "with", "pin|biometry|wrong-pin|possession", "what the owner uses (approve, decline, sign)"
    ).twin("phone-with")
    static let phonePIN = Option.one(
        "pin", "PIN", default: "2580",
        "the PIN to set up (scan, enrol) or to enter (approve, decline, sign); by default the one that was set up"
    ).twin("phone-pin")
    static let phoneOTP = Option.one("otp", "TEXT", "the second secret of an activation (scan)").twin(
        "phone-otp")
    static let phoneMethod = Option.one("method", "NAME", default: "POST", "the method of the request (sign)")
        .twin(
            "phone-method")
    static let phoneBody = Option.one(
        "body", "TEXT", "the body of the request, or the query of a GET (sign)"
    ).twin("phone-body")
    static let phoneMail = Option.one(
        "mail", "ADDRESS", "its owner's email address (create), which identifies users of MIRACL"
    ).twin("phone-mail")
    static let phonePlatform = Option.one(
        "platform", "NAME", default: "powerauth",
        "powerauth, onegini, nextauth or miracl (enrol); by default the app that has the action (do), or the app that was asked (approve, decline)"
    ).twin("phone-platform")
    static let phoneProtocol = Option.one(
        "protocol", "NAME", default: "the newest",
        "the protocol, where a platform has several (enrol): such as 3.2, 4.0 or EC_P384 for PowerAuth; classic, mfa or trust for MIRACL"
    ).twin("phone-protocol")
    static let phoneToken = Option.one(
        "token", "NAME",
        "sign with a token of this name instead of a code; it is created if it does not exist (sign)"
    ).twin("phone-token")
    static let phoneAfter = Option.one(
        "after", "TIME", default: "0s", "answer with this delay, by the world's clock (approve, decline)"
    ).twin("phone-after")
    static let phoneFault = Option.one(
        "fault", "twice|changed-counter|stolen-key|rooted|old-protocol|other-data|unasked",
        "what is wrong with the answer, as far as the app's protocol has that (approve, decline)"
    ).twin("phone-fault")
    static let phoneAccount = Option.one(
        "account", "NAME", default: "the first",
        "the account of the app, if it has several (enrol, scan, do, approve, decline, sign)"
    ).twin("phone-account")
    static let phoneKind = Option.one(
        "kind", "NAME", "the kind of requests of --platform that the policy is for (policy)"
    ).twin("phone-kind")
    static let phonePicture = Option.one(
        "picture", "FILE", "a PNG or SVG of the code, as drawn by Understudy, instead of TEXT (scan)"
    ).twin("phone-picture")
    static let phonePUK = Option.one("puk", "DIGITS", "the PUK of a recovery code (scan)").twin(
        "phone-puk")
    static let phoneSDK = Option.one(
        "sdk", "NAME=GENERATION", default: "powerauth=1.9",
        "with which SDK an app is built (create): powerauth=2.x speaks protocol 4.0"
    ).twin("phone-sdk")
    static let phoneProvider = Option.one(
        "provider", "NAME", "the OpenID Connect provider where the owner logs in (enrol)"
    ).twin("phone-provider")
}
