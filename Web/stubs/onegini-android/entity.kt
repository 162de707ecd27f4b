package com.onegini.mobile.sdk.android.model.entity

data class UserProfile(val profileId: String)

/** [status]: 2000 to 2999 means success, 4000 to 4999 try again, from 5000 on it is over. */
class CustomInfo internal constructor(val status: Int, val data: String?)

class AuthenticationAttemptCounter internal constructor(val failedAttempts: Int, val remainingAttempts: Int) {
    val maxAttempts get() = failedAttempts + remainingAttempts
}

/** [type]: the name of the configured type. [signingData]: what the portal sent to be signed. */
class OneginiMobileAuthenticationRequest internal constructor(
    val userProfile: UserProfile, val type: String, val message: String, val transactionId: String, val signingData: String? = null)

/** What a push says of a request, or the list of pending ones. [timestamp]: milliseconds since 1970. */
class OneginiMobileAuthWithPushRequest @JvmOverloads constructor(
    val transactionId: String, val message: String, val userProfileId: String, val timestamp: Long = 0, val timeToLiveSeconds: Int = 0)
