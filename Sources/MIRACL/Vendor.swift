/// What the platform is called, for all who have to say it.
enum Vendor {
    static let name = "miracl"
    static let title = "MIRACL MFA"
    static let scopes = ["openid", "profile", "email", "dvs", "mpin_id", "hash_mpin_id"]
}
