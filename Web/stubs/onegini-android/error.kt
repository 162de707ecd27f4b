package com.onegini.mobile.sdk.android.handlers.error

/** The number of the vendor's reference, such as 9003, user deregistered. */
interface OneginiErrorType {
    val code: Int
}

/**
 * Why something did not work. The numbers are the vendor's; an error that has no such type is a GENERAL_ERROR whose message says the number.
 */
abstract class OneginiError internal constructor(message: String?) : Exception(message) {
    abstract val errorType: OneginiErrorType

    /** Numbers by their names, as older versions had them. */
    companion object {
        const val NETWORK_CONNECTIVITY_PROBLEM = 9000
        const val SERVER_NOT_REACHABLE = 9001
        const val DEVICE_DEREGISTERED = 9002
        const val USER_DEREGISTERED = 9003
        const val OUTDATED_APP = 9004
        const val OUTDATED_OS = 9005
        const val ACTION_CANCELED = 9006
        const val ACTION_ALREADY_IN_PROGRESS = 9007
        const val DEVICE_REGISTRATION_ERROR = 9008
        const val USER_NOT_AUTHENTICATED = 9010
        const val PIN_BLACKLISTED = 9011
        const val PIN_IS_A_SEQUENCE = 9012
        const val PIN_USES_SIMILAR_DIGITS = 9013
        const val WRONG_PIN_LENGTH = 9014
        const val INVALID_AUTHENTICATOR = 9015
        const val DEVICE_ALREADY_ENROLLED = 9016
        const val ENROLLMENT_NOT_AVAILABLE = 9017
        const val USER_ALREADY_ENROLLED = 9018
        const val USER_DISENROLLED = 9020
        const val MOBILE_AUTHENTICATION_NOT_ENROLLED = 9021
        const val AUTHENTICATOR_DEREGISTERED = 9022
        const val MOBILE_AUTHENTICATION_DISENROLLED = 9023
        const val DATA_STORAGE_NOT_AVAILABLE = 9024
        const val USER_NOT_AUTHENTICATED_IMPLICITLY = 9026
        const val CUSTOM_AUTHENTICATOR_FAILURE = 9027
        const val ALREADY_HANDLED = 9029
        const val INVALID_DATETIME = 9031
        const val STATELESS_USER = 9033
        const val STATELESS_REGISTRATION_ERROR = 9034
        const val GENERAL_ERROR = 10000
        const val CONFIGURATION_ERROR = 10001
        const val INVALID_STATE = 10002
        const val LOCAL_DEREGISTRATION = 10003
        const val AUTHENTICATOR_ALREADY_REGISTERED = 10004
        const val AUTHENTICATOR_NOT_SUPPORTED = 10006
        const val AUTHENTICATOR_NOT_REGISTERED = 10007
        const val AUTHENTICATOR_PIN_DEREGISTRATION_NOT_POSSIBLE = 10008
        const val LOCAL_LOGOUT = 10009
        const val DEVICE_NOT_AUTHENTICATED = 10012
        const val MOBILE_AUTHENTICATION_REQUEST_NOT_FOUND = 10013
        const val INVALID_REQUEST = 10015
        const val CUSTOM_AUTHENTICATION_DISABLED = 10017
        const val NOT_HANDLEABLE = 10018
        const val INVALID_IDENTITY_PROVIDER = 10020
        const val CUSTOM_REGISTRATION_EXPIRED = 10021
        const val CUSTOM_REGISTRATION_FAILURE = 10022
        const val SINGLE_SIGN_ON_DISABLED = 10023
        const val APP_INTEGRITY_FAILURE = 10024
    }
}

class OneginiInitializationError internal constructor(override val errorType: Type, message: String?) : OneginiError(message) {
    enum class Type(override val code: Int) : OneginiErrorType {
        NETWORK_CONNECTIVITY_PROBLEM(9000), SERVER_NOT_REACHABLE(9001), DEVICE_DEREGISTERED(9002), OUTDATED_APP(9004), OUTDATED_OS(9005),
        ACTION_ALREADY_IN_PROGRESS(9007), DEVICE_REGISTRATION_ERROR(9008), DATA_STORAGE_NOT_AVAILABLE(9024), INVALID_DATETIME(9031),
        GENERAL_ERROR(10000), CONFIGURATION_ERROR(10001), APP_INTEGRITY_FAILURE(10024)
    }
}

class OneginiRegistrationError internal constructor(override val errorType: Type, message: String?) : OneginiError(message) {
    enum class Type(override val code: Int) : OneginiErrorType {
        NETWORK_CONNECTIVITY_PROBLEM(9000), SERVER_NOT_REACHABLE(9001), DEVICE_DEREGISTERED(9002), USER_DEREGISTERED(9003),
        OUTDATED_APP(9004), OUTDATED_OS(9005), ACTION_CANCELED(9006), ACTION_ALREADY_IN_PROGRESS(9007), DEVICE_REGISTRATION_ERROR(9008),
        DATA_STORAGE_NOT_AVAILABLE(9024), INVALID_DATETIME(9031), STATELESS_REGISTRATION_ERROR(9034), GENERAL_ERROR(10000),
        CONFIGURATION_ERROR(10001), INVALID_STATE(10002), INVALID_REQUEST(10015), INVALID_IDENTITY_PROVIDER(10020),
        CUSTOM_REGISTRATION_EXPIRED(10021), CUSTOM_REGISTRATION_FAILURE(10022), APP_INTEGRITY_FAILURE(10024)
    }
}

class OneginiAuthenticationError internal constructor(override val errorType: Type, message: String?) : OneginiError(message) {
    enum class Type(override val code: Int) : OneginiErrorType {
        NETWORK_CONNECTIVITY_PROBLEM(9000), SERVER_NOT_REACHABLE(9001), DEVICE_DEREGISTERED(9002), USER_DEREGISTERED(9003),
        OUTDATED_APP(9004), OUTDATED_OS(9005), ACTION_CANCELED(9006), ACTION_ALREADY_IN_PROGRESS(9007), INVALID_AUTHENTICATOR(9015),
        AUTHENTICATOR_DEREGISTERED(9022), DATA_STORAGE_NOT_AVAILABLE(9024), CUSTOM_AUTHENTICATOR_FAILURE(9027), GENERAL_ERROR(10000),
        CONFIGURATION_ERROR(10001), AUTHENTICATOR_NOT_REGISTERED(10007), CUSTOM_AUTHENTICATION_DISABLED(10017)
    }
}

class OneginiImplicitTokenRequestError internal constructor(override val errorType: Type, message: String?) : OneginiError(message) {
    enum class Type(override val code: Int) : OneginiErrorType {
        NETWORK_CONNECTIVITY_PROBLEM(9000), SERVER_NOT_REACHABLE(9001), DEVICE_DEREGISTERED(9002), USER_DEREGISTERED(9003),
        OUTDATED_APP(9004), OUTDATED_OS(9005), ACTION_ALREADY_IN_PROGRESS(9007), DATA_STORAGE_NOT_AVAILABLE(9024), GENERAL_ERROR(10000),
        CONFIGURATION_ERROR(10001)
    }
}

class OneginiDeviceAuthenticationError internal constructor(override val errorType: Type, message: String?) : OneginiError(message) {
    enum class Type(override val code: Int) : OneginiErrorType {
        NETWORK_CONNECTIVITY_PROBLEM(9000), SERVER_NOT_REACHABLE(9001), DEVICE_DEREGISTERED(9002), OUTDATED_APP(9004), OUTDATED_OS(9005),
        ACTION_ALREADY_IN_PROGRESS(9007), DEVICE_REGISTRATION_ERROR(9008), DATA_STORAGE_NOT_AVAILABLE(9024), INVALID_DATETIME(9031),
        GENERAL_ERROR(10000), CONFIGURATION_ERROR(10001)
    }
}

class OneginiChangePinError internal constructor(override val errorType: Type, message: String?) : OneginiError(message) {
    enum class Type(override val code: Int) : OneginiErrorType {
        NETWORK_CONNECTIVITY_PROBLEM(9000), SERVER_NOT_REACHABLE(9001), DEVICE_DEREGISTERED(9002), USER_DEREGISTERED(9003),
        ACTION_CANCELED(9006), ACTION_ALREADY_IN_PROGRESS(9007), USER_NOT_AUTHENTICATED(9010), DATA_STORAGE_NOT_AVAILABLE(9024),
        GENERAL_ERROR(10000), CONFIGURATION_ERROR(10001)
    }
}

class OneginiPinValidationError internal constructor(override val errorType: Type, message: String?) : OneginiError(message) {
    enum class Type(override val code: Int) : OneginiErrorType {
        NETWORK_CONNECTIVITY_PROBLEM(9000), SERVER_NOT_REACHABLE(9001), DEVICE_DEREGISTERED(9002), ACTION_ALREADY_IN_PROGRESS(9007),
        PIN_BLACKLISTED(9011), PIN_IS_A_SEQUENCE(9012), PIN_USES_SIMILAR_DIGITS(9013), WRONG_PIN_LENGTH(9014),
        DATA_STORAGE_NOT_AVAILABLE(9024), GENERAL_ERROR(10000), CONFIGURATION_ERROR(10001)
    }
}

class OneginiLogoutError internal constructor(override val errorType: Type, message: String?) : OneginiError(message) {
    enum class Type(override val code: Int) : OneginiErrorType {
        NETWORK_CONNECTIVITY_PROBLEM(9000), SERVER_NOT_REACHABLE(9001), DEVICE_DEREGISTERED(9002), USER_DEREGISTERED(9003),
        ACTION_ALREADY_IN_PROGRESS(9007), DATA_STORAGE_NOT_AVAILABLE(9024), GENERAL_ERROR(10000), CONFIGURATION_ERROR(10001),
        LOCAL_LOGOUT(10009)
    }
}

class OneginiDeregistrationError internal constructor(override val errorType: Type, message: String?) : OneginiError(message) {
    enum class Type(override val code: Int) : OneginiErrorType {
        NETWORK_CONNECTIVITY_PROBLEM(9000), SERVER_NOT_REACHABLE(9001), DEVICE_DEREGISTERED(9002), ACTION_ALREADY_IN_PROGRESS(9007),
        DATA_STORAGE_NOT_AVAILABLE(9024), GENERAL_ERROR(10000), CONFIGURATION_ERROR(10001), LOCAL_DEREGISTRATION(10003)
    }
}

class OneginiMobileAuthEnrollmentError internal constructor(override val errorType: Type, message: String?) : OneginiError(message) {
    enum class Type(override val code: Int) : OneginiErrorType {
        NETWORK_CONNECTIVITY_PROBLEM(9000), SERVER_NOT_REACHABLE(9001), DEVICE_DEREGISTERED(9002), USER_DEREGISTERED(9003),
        ACTION_ALREADY_IN_PROGRESS(9007), USER_NOT_AUTHENTICATED(9010), DEVICE_ALREADY_ENROLLED(9016), ENROLLMENT_NOT_AVAILABLE(9017),
        USER_ALREADY_ENROLLED(9018), DATA_STORAGE_NOT_AVAILABLE(9024), STATELESS_USER(9033), GENERAL_ERROR(10000),
        CONFIGURATION_ERROR(10001), INVALID_REQUEST(10015)
    }
}

class OneginiMobileAuthWithPushEnrollmentError internal constructor(override val errorType: Type, message: String?) : OneginiError(message) {
    enum class Type(override val code: Int) : OneginiErrorType {
        NETWORK_CONNECTIVITY_PROBLEM(9000), SERVER_NOT_REACHABLE(9001), DEVICE_DEREGISTERED(9002), USER_DEREGISTERED(9003),
        ACTION_ALREADY_IN_PROGRESS(9007), USER_NOT_AUTHENTICATED(9010), DEVICE_ALREADY_ENROLLED(9016), ENROLLMENT_NOT_AVAILABLE(9017),
        USER_ALREADY_ENROLLED(9018), MOBILE_AUTHENTICATION_NOT_ENROLLED(9021), DATA_STORAGE_NOT_AVAILABLE(9024), STATELESS_USER(9033),
        GENERAL_ERROR(10000), CONFIGURATION_ERROR(10001)
    }
}

class OneginiMobileAuthWithOtpError internal constructor(override val errorType: Type, message: String?) : OneginiError(message) {
    enum class Type(override val code: Int) : OneginiErrorType {
        NETWORK_CONNECTIVITY_PROBLEM(9000), SERVER_NOT_REACHABLE(9001), DEVICE_DEREGISTERED(9002), USER_DEREGISTERED(9003),
        OUTDATED_APP(9004), OUTDATED_OS(9005), ACTION_CANCELED(9006), ACTION_ALREADY_IN_PROGRESS(9007), USER_NOT_AUTHENTICATED(9010),
        ENROLLMENT_NOT_AVAILABLE(9017), USER_DISENROLLED(9020), MOBILE_AUTHENTICATION_NOT_ENROLLED(9021),
        MOBILE_AUTHENTICATION_DISENROLLED(9023), DATA_STORAGE_NOT_AVAILABLE(9024), ALREADY_HANDLED(9029), GENERAL_ERROR(10000),
        CONFIGURATION_ERROR(10001), MOBILE_AUTHENTICATION_REQUEST_NOT_FOUND(10013), INVALID_REQUEST(10015), NOT_HANDLEABLE(10018)
    }
}

class OneginiMobileAuthenticationError internal constructor(override val errorType: Type, message: String?) : OneginiError(message) {
    enum class Type(override val code: Int) : OneginiErrorType {
        NETWORK_CONNECTIVITY_PROBLEM(9000), SERVER_NOT_REACHABLE(9001), DEVICE_DEREGISTERED(9002), USER_DEREGISTERED(9003),
        OUTDATED_APP(9004), OUTDATED_OS(9005), ACTION_CANCELED(9006), ACTION_ALREADY_IN_PROGRESS(9007), USER_NOT_AUTHENTICATED(9010),
        ENROLLMENT_NOT_AVAILABLE(9017), USER_DISENROLLED(9020), MOBILE_AUTHENTICATION_NOT_ENROLLED(9021), AUTHENTICATOR_DEREGISTERED(9022),
        MOBILE_AUTHENTICATION_DISENROLLED(9023), DATA_STORAGE_NOT_AVAILABLE(9024), CUSTOM_AUTHENTICATOR_FAILURE(9027),
        ALREADY_HANDLED(9029), GENERAL_ERROR(10000), CONFIGURATION_ERROR(10001), MOBILE_AUTHENTICATION_REQUEST_NOT_FOUND(10013),
        INVALID_REQUEST(10015), NOT_HANDLEABLE(10018)
    }
}

class OneginiPendingMobileAuthWithPushRequestError internal constructor(override val errorType: Type, message: String?) : OneginiError(message) {
    enum class Type(override val code: Int) : OneginiErrorType {
        NETWORK_CONNECTIVITY_PROBLEM(9000), SERVER_NOT_REACHABLE(9001), DEVICE_DEREGISTERED(9002), USER_DEREGISTERED(9003),
        ACTION_ALREADY_IN_PROGRESS(9007), USER_NOT_AUTHENTICATED(9010), ENROLLMENT_NOT_AVAILABLE(9017), DATA_STORAGE_NOT_AVAILABLE(9024),
        GENERAL_ERROR(10000), CONFIGURATION_ERROR(10001)
    }
}

class OneginiDenyMobileAuthWithPushRequestError internal constructor(override val errorType: Type, message: String?) : OneginiError(message) {
    enum class Type(override val code: Int) : OneginiErrorType {
        NETWORK_CONNECTIVITY_PROBLEM(9000), SERVER_NOT_REACHABLE(9001), DEVICE_DEREGISTERED(9002), USER_DEREGISTERED(9003),
        ACTION_ALREADY_IN_PROGRESS(9007), USER_DISENROLLED(9020), MOBILE_AUTHENTICATION_NOT_ENROLLED(9021),
        DATA_STORAGE_NOT_AVAILABLE(9024), ALREADY_HANDLED(9029), GENERAL_ERROR(10000), CONFIGURATION_ERROR(10001),
        MOBILE_AUTHENTICATION_REQUEST_NOT_FOUND(10013), NOT_HANDLEABLE(10018)
    }
}

class OneginiRefreshMobileAuthPushTokenError internal constructor(override val errorType: Type, message: String?) : OneginiError(message) {
    enum class Type(override val code: Int) : OneginiErrorType {
        NETWORK_CONNECTIVITY_PROBLEM(9000), SERVER_NOT_REACHABLE(9001), DEVICE_DEREGISTERED(9002), ACTION_ALREADY_IN_PROGRESS(9007),
        DEVICE_ALREADY_ENROLLED(9016), DATA_STORAGE_NOT_AVAILABLE(9024), GENERAL_ERROR(10000), CONFIGURATION_ERROR(10001)
    }
}

class OneginiAuthenticatorRegistrationError internal constructor(override val errorType: Type, message: String?) : OneginiError(message) {
    enum class Type(override val code: Int) : OneginiErrorType {
        NETWORK_CONNECTIVITY_PROBLEM(9000), SERVER_NOT_REACHABLE(9001), DEVICE_DEREGISTERED(9002), USER_DEREGISTERED(9003),
        ACTION_CANCELED(9006), ACTION_ALREADY_IN_PROGRESS(9007), USER_NOT_AUTHENTICATED(9010), INVALID_AUTHENTICATOR(9015),
        DATA_STORAGE_NOT_AVAILABLE(9024), CUSTOM_AUTHENTICATOR_FAILURE(9027), GENERAL_ERROR(10000), CONFIGURATION_ERROR(10001),
        AUTHENTICATOR_ALREADY_REGISTERED(10004), AUTHENTICATOR_NOT_SUPPORTED(10006), CUSTOM_AUTHENTICATION_DISABLED(10017)
    }
}

class OneginiAuthenticatorDeregistrationError internal constructor(override val errorType: Type, message: String?) : OneginiError(message) {
    enum class Type(override val code: Int) : OneginiErrorType {
        NETWORK_CONNECTIVITY_PROBLEM(9000), SERVER_NOT_REACHABLE(9001), DEVICE_DEREGISTERED(9002), USER_DEREGISTERED(9003),
        ACTION_CANCELED(9006), ACTION_ALREADY_IN_PROGRESS(9007), USER_NOT_AUTHENTICATED(9010), DATA_STORAGE_NOT_AVAILABLE(9024),
        CUSTOM_AUTHENTICATOR_FAILURE(9027), GENERAL_ERROR(10000), CONFIGURATION_ERROR(10001), LOCAL_DEREGISTRATION(10003),
        AUTHENTICATOR_NOT_SUPPORTED(10006), AUTHENTICATOR_NOT_REGISTERED(10007), AUTHENTICATOR_PIN_DEREGISTRATION_NOT_POSSIBLE(10008)
    }
}

class OneginiAppToWebSingleSignOnError internal constructor(override val errorType: Type, message: String?) : OneginiError(message) {
    enum class Type(override val code: Int) : OneginiErrorType {
        NETWORK_CONNECTIVITY_PROBLEM(9000), SERVER_NOT_REACHABLE(9001), DEVICE_DEREGISTERED(9002), USER_DEREGISTERED(9003),
        ACTION_ALREADY_IN_PROGRESS(9007), USER_NOT_AUTHENTICATED(9010), DATA_STORAGE_NOT_AVAILABLE(9024), GENERAL_ERROR(10000),
        CONFIGURATION_ERROR(10001), INVALID_REQUEST(10015), SINGLE_SIGN_ON_DISABLED(10023)
    }
}

class OneginiRefreshStatelessSessionError internal constructor(override val errorType: Type, message: String?) : OneginiError(message) {
    enum class Type(override val code: Int) : OneginiErrorType {
        NETWORK_CONNECTIVITY_PROBLEM(9000), SERVER_NOT_REACHABLE(9001), DEVICE_DEREGISTERED(9002), ACTION_ALREADY_IN_PROGRESS(9007),
        USER_NOT_AUTHENTICATED(9010), DATA_STORAGE_NOT_AVAILABLE(9024), GENERAL_ERROR(10000), CONFIGURATION_ERROR(10001)
    }
}

/** An error of that number; where its class has no such type, its GENERAL_ERROR, whose message says the number. */
internal inline fun <reified T, E : OneginiError> of(code: Int, message: String?, make: (T, String) -> E): E where T : Enum<T>, T : OneginiErrorType {
    val found = enumValues<T>().find { it.code == code }
    val general = enumValues<T>().first { it.code == OneginiError.GENERAL_ERROR }
    return make(found ?: general, if (found == null) "$code: ${message ?: "no type of its own"}" else message ?: "error $code")
}
