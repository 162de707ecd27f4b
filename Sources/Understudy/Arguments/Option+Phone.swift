/// What `phone` can be told beyond the server that is meant.
extension Option {
    static let phone: [Option] = [
        phoneOwner, phoneModel, phoneWait, phoneWay, phonePIN, phoneOTP, phoneMethod, phoneBody, phoneToken,
        phoneMail, phonePlatform, phoneProtocol, phoneAfter, phoneFault, phoneKind, phonePicture, phonePUK,
        phoneProvider,
    ]

    static let phoneOwner = Option.one(
        "user", "ID", default: "nobody", "whose phone it is (create), by the user's id at the platforms"
    ).twin("phone-user")
    static let phoneModel = Option.one("model", "ios|android", default: "ios", "what it is (create)").twin(
        "phone-model")
    static let phoneWait = Option.one(
        "wait", "TIME", default: "0s", "wait so long for something to approve, decline or show (at most 60s)"
    ).twin("phone-wait")
    static let phoneWay = Option.one(
        "with", "pin|biometry|wrong-pin|possession", "what the person gives (approve, decline, sign)"
    ).twin("phone-with")
    static let phonePIN = Option.one(
        "pin", "PIN", default: "2580",
        "the PIN to set up (scan, enrol) or to type (approve, decline); else the one that was set up"
    ).twin("phone-pin")
    static let phoneOTP = Option.one("otp", "TEXT", "the second secret of an activation (scan)").twin(
        "phone-otp")
    static let phoneMethod = Option.one("method", "NAME", default: "POST", "of the request (sign)").twin(
        "phone-method")
    static let phoneBody = Option.one(
        "body", "TEXT", "of the request; of a GET its query (sign)"
    ).twin("phone-body")
    static let phoneMail = Option.one(
        "mail", "ADDRESS", "where its owner gets mail (create); users of MIRACL are known by it"
    ).twin("phone-mail")
    static let phonePlatform = Option.one(
        "platform", "NAME", default: "powerauth",
        "powerauth, onegini, nextauth or miracl (enrol); of do, else the app that can do it; of approve and decline, else the one that was asked"
    ).twin("phone-platform")
    static let phoneProtocol = Option.one(
        "protocol", "NAME", default: "the newest",
        "the platform's, where there are several (enrol): 3.2 of PowerAuth, classic, mfa or trust of MIRACL"
    ).twin("phone-protocol")
    static let phoneToken = Option.one(
        "token", "NAME", "use a token of that name in the place of a code, made when there is none (sign)"
    ).twin("phone-token")
    static let phoneAfter = Option.one(
        "after", "TIME", default: "0s", "answer so late, by the clock of the world (approve, decline)"
    ).twin("phone-after")
    static let phoneFault = Option.one(
        "fault", "twice|changed-counter|stolen-key|rooted|old-protocol|other-data|unasked",
        "what is wrong with the answer, as far as the app's protocol has that (approve, decline)"
    ).twin("phone-fault")
    static let phoneKind = Option.one(
        "kind", "NAME", "of the requests of --platform that a policy is for (policy)"
    ).twin("phone-kind")
    static let phonePicture = Option.one(
        "picture", "FILE", "a PNG or SVG of the code, as Understudy draws it, in the place of TEXT (scan)"
    ).twin("phone-picture")
    static let phonePUK = Option.one("puk", "DIGITS", "what goes with a recovery code (scan)").twin(
        "phone-puk")
    static let phoneProvider = Option.one(
        "provider", "NAME", "the OpenID Connect provider at which the owner logs in (enrol)"
    ).twin("phone-provider")
}
