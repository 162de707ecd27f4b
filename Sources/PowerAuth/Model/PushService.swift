/// Who would carry a push, by the name in paths.
enum PushService: String, Sendable, CaseIterable {
    case apns
    case fcm
    case hms
}
