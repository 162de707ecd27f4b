/// How a user can be asked.
struct MobileRoute: Sendable, Equatable {
    /// The one that is used, after a fallback.
    let type: MobileAuthenticationType
    /// The device; push alone.
    let enrollment: Enrollment?
}

extension MobileAuthenticationSettings {
    /// How `type` reaches the user, if it does at all.
    ///
    /// - Parameters:
    ///   - enrolled: the user's enrollments, of those devices that are meant.
    ///   - hasPhoneNumber: whether a text message can be sent.
    func route(
        of type: MobileAuthenticationType, to enrolled: [Enrollment], hasPhoneNumber: Bool
    ) -> MobileRoute? {
        switch type.method {
        case .otp: return MobileRoute(type: type, enrollment: nil)
        case .sms: return hasPhoneNumber ? MobileRoute(type: type, enrollment: nil) : nil
        default:
            // The newest, where the portal named no device.
            if let enrollment = enrolled.last(where: { $0.pushToken != nil }) {
                return MobileRoute(type: type, enrollment: enrollment)
            }
            guard hasPhoneNumber, let fallback = type.fallback.flatMap({ self.type($0) }) else {
                return nil
            }
            return MobileRoute(type: fallback, enrollment: nil)
        }
    }

    /// Whether `type` can be used for a user with these enrollments, should the portal have a phone number.
    func isAvailable(_ type: MobileAuthenticationType, to enrolled: [Enrollment]) -> Bool {
        // *Assumed*: somebody must be enrolled to answer.
        if type.method == .otp { return !enrolled.isEmpty }
        return route(of: type, to: enrolled, hasPhoneNumber: true) != nil
    }
}
