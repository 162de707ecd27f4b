extension PhoneCenter {
    /// The apps that a phone may have.
    static let apps: [any PhoneApp.Type] = [
        PowerAuthApp.self,
        OneginiApp.self,
        NextAuthApp.self,
        MIRACLApp.self,
    ]

    static func noApp(_ platform: String) -> PhoneRefusal {
        .noApp(platform, known: apps.map { $0.platform })
    }
}

extension PhoneRequest {
    /// What an answer to it can get wrong on purpose.
    package var faults: [PhoneAnswer.Fault] {
        // It is of a request that the phone was asked about.
        (PhoneCenter.apps.first { $0.platform == platform }?.faults ?? []).filter { $0 != .unasked }
    }
}
