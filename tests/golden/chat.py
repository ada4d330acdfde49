"""Golden prompts: the field's template texts, rendered by Jinja2.

    chat.py > chat.txt

One record a case: lines `name`, `row`, `system` (or empty), `default`, `template`, `prompt`, with \\ and line ends
escaped. `row` is the row of engine/model/chat.c that should recognise the template, - for none; `default` is the system
message that the template brings itself. The user's message is "The document.\\n\\nThe question?". BOS is empty: the tokenizer brings it.
"""
import sys

import jinja2
from jinja2.sandbox import ImmutableSandboxedEnvironment

CHATML = ("{% for message in messages %}{{'<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>' + '\n'}}{% endfor %}"
          "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}")
CHATML_DEFAULT = ("{% for message in messages %}{% if loop.first and messages[0]['role'] != 'system' %}{{ '<|im_start|>system\n"
                  "You are a helpful AI assistant named SmolLM, trained by Hugging Face<|im_end|>\n' }}{% endif %}{{'<|im_start|>' + message['role'] + '\n' + "
                  "message['content'] + '<|im_end|>' + '\n'}}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}")
QWEN25 = r"""{%- if tools %}
    {{- '<|im_start|>system\n' }}
    {%- if messages[0]['role'] == 'system' %}
        {{- messages[0]['content'] }}
    {%- else %}
        {{- 'You are Qwen, created by Alibaba Cloud. You are a helpful assistant.' }}
    {%- endif %}
    {{- "\n\n# Tools" }}
{%- else %}
    {%- if messages[0]['role'] == 'system' %}
        {{- '<|im_start|>system\n' + messages[0]['content'] + '<|im_end|>\n' }}
    {%- else %}
        {{- '<|im_start|>system\nYou are Qwen, created by Alibaba Cloud. You are a helpful assistant.<|im_end|>\n' }}
    {%- endif %}
{%- endif %}
{%- for message in messages %}
    {%- if (message.role == "user") or (message.role == "system" and not loop.first) or (message.role == "assistant" and not message.tool_calls) %}
        {{- '<|im_start|>' + message.role + '\n' + message.content + '<|im_end|>' + '\n' }}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|im_start|>assistant\n' }}
{%- endif %}
"""
QWEN3 = r"""{%- if messages[0].role == 'system' %}
    {{- '<|im_start|>system\n' + messages[0].content + '<|im_end|>\n' }}
{%- endif %}
{%- for message in messages %}
    {%- if (message.role == "user") or (message.role == "system" and not loop.first) %}
        {{- '<|im_start|>' + message.role + '\n' + message.content + '<|im_end|>' + '\n' }}
    {%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|im_start|>assistant\n' }}
    {%- if enable_thinking is defined and enable_thinking is false %}
        {{- '<think>\n\n</think>\n\n' }}
    {%- endif %}
{%- endif %}"""
QWEN3_THINKING = r"""{%- for message in messages %}
    {{- '<|im_start|>' + message.role + '\n' + message.content + '<|im_end|>' + '\n' }}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|im_start|>assistant\n<think>\n' }}
{%- endif %}"""
LLAMA2 = ("{% if messages[0]['role'] == 'system' %}{% set loop_messages = messages[1:] %}{% set system_message = messages[0]['content'] %}"
          "{% else %}{% set loop_messages = messages %}{% set system_message = false %}{% endif %}{% for message in loop_messages %}"
          "{% if loop.index0 == 0 and system_message != false %}{% set content = '<<SYS>>\\n' + system_message + '\\n<</SYS>>\\n\\n' + message['content'] %}"
          "{% else %}{% set content = message['content'] %}{% endif %}{% if message['role'] == 'user' %}{{ bos_token + '[INST] ' + content.strip() + ' [/INST]' }}"
          "{% elif message['role'] == 'assistant' %}{{ ' '  + content.strip() + ' ' + eos_token }}{% endif %}{% endfor %}")
LLAMA3 = ("{% set loop_messages = messages %}{% for message in loop_messages %}{% set content = '<|start_header_id|>' + message['role'] + '<|end_header_id|>\n\n'+ "
          "message['content'] | trim + '<|eot_id|>' %}{% if loop.index0 == 0 %}{% set content = bos_token + content %}{% endif %}{{ content }}{% endfor %}"
          "{% if add_generation_prompt %}{{ '<|start_header_id|>assistant<|end_header_id|>\n\n' }}{% endif %}")
LLAMA31 = r"""{{- bos_token }}
{%- if not date_string is defined %}
    {%- set date_string = "26 Jul 2024" %}
{%- endif %}
{%- if messages[0]['role'] == 'system' %}
    {%- set system_message = messages[0]['content']|trim %}
    {%- set messages = messages[1:] %}
{%- else %}
    {%- set system_message = "" %}
{%- endif %}
{{- "<|start_header_id|>system<|end_header_id|>\n\n" }}
{{- "Cutting Knowledge Date: December 2023\n" }}
{{- "Today Date: " + date_string + "\n\n" }}
{{- system_message }}
{{- "<|eot_id|>" }}
{%- for message in messages %}
    {{- '<|start_header_id|>' + message['role'] + '<|end_header_id|>\n\n'+ message['content'] | trim + '<|eot_id|>' }}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|start_header_id|>assistant<|end_header_id|>\n\n' }}
{%- endif %}
"""
MISTRAL1 = ("{{ bos_token }}{% for message in messages %}{% if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception('Conversation roles must alternate') }}"
            "{% endif %}{% if message['role'] == 'user' %}{{ '[INST] ' + message['content'] + ' [/INST]' }}{% elif message['role'] == 'assistant' %}"
            "{{ message['content'] + eos_token}}{% endif %}{% endfor %}")


def mistral_joined(opening, closing):
    return ("{%- if messages[0]['role'] == 'system' %}{%- set system_message = messages[0]['content'] %}{%- set loop_messages = messages[1:] %}"
            "{%- else %}{%- set loop_messages = messages %}{%- endif %}{{- bos_token }}{%- for message in loop_messages %}{%- if message['role'] == 'user' %}"
            "{%- if loop.last and system_message is defined %}{{- '" + opening + "' + system_message + '\\n\\n' + message['content'] + '" + closing + "' }}"
            "{%- else %}{{- '" + opening + "' + message['content'] + '" + closing + "' }}{%- endif %}{%- else %}{{- ' ' + message['content'] + eos_token }}{%- endif %}{%- endfor %}")


def mistral_7(gap):
    return ("{{- bos_token }}{%- for message in messages %}{%- if message['role'] == 'user' %}{{- '[INST]" + gap + "' + message['content'] + '[/INST]' }}"
            "{%- elif message['role'] == 'system' %}{{- '[SYSTEM_PROMPT]" + gap + "' + message['content'] + '[/SYSTEM_PROMPT]' }}"
            "{%- else %}{{- ' ' + message['content'] + eos_token }}{%- endif %}{%- endfor %}")


ZEPHYR = ("{% for message in messages %}\n{% if message['role'] == 'user' %}\n{{ '<|user|>\n' + message['content'] + eos_token }}\n{% elif message['role'] == 'system' %}\n"
          "{{ '<|system|>\n' + message['content'] + eos_token }}\n{% elif message['role'] == 'assistant' %}\n{{ '<|assistant|>\n'  + message['content'] + eos_token }}\n"
          "{% endif %}\n{% if loop.last and add_generation_prompt %}\n{{ '<|assistant|>' }}\n{% endif %}\n{% endfor %}")
PHI3 = ("{{ bos_token }}{% for message in messages %}{% if message['role'] == 'system' %}{{'<|system|>\n' + message['content'] + '<|end|>\n'}}{% elif message['role'] == 'user' %}"
        "{{'<|user|>\n' + message['content'] + '<|end|>\n'}}{% elif message['role'] == 'assistant' %}{{'<|assistant|>\n' + message['content'] + '<|end|>\n'}}{% endif %}"
        "{% endfor %}{% if add_generation_prompt %}{{ '<|assistant|>\n' }}{% else %}{{ eos_token }}{% endif %}")
GEMMA3 = r"""{{ bos_token }}
{%- if messages[0]['role'] == 'system' -%}
    {%- set first_user_prefix = messages[0]['content'] + '\n\n' -%}
    {%- set loop_messages = messages[1:] -%}
{%- else -%}
    {%- set first_user_prefix = "" -%}
    {%- set loop_messages = messages -%}
{%- endif -%}
{%- for message in loop_messages -%}
    {%- if (message['role'] == 'assistant') -%}
        {%- set role = "model" -%}
    {%- else -%}
        {%- set role = message['role'] -%}
    {%- endif -%}
    {{ '<start_of_turn>' + role + '\n' + (first_user_prefix if loop.first else "") }}
    {{- message['content'] | trim }}
    {{- '<end_of_turn>\n' }}
{%- endfor -%}
{%- if add_generation_prompt -%}
    {{'<start_of_turn>model\n'}}
{%- endif -%}
"""
GEMMA2 = ("{{ bos_token }}{% if messages[0]['role'] == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}{% for message in messages %}"
          "{% if (message['role'] == 'assistant') %}{% set role = 'model' %}{% else %}{% set role = message['role'] %}{% endif %}"
          "{{ '<start_of_turn>' + role + '\n' + message['content'] | trim + '<end_of_turn>\n' }}{% endfor %}{% if add_generation_prompt %}{{'<start_of_turn>model\n'}}{% endif %}")
COMMAND_R = ("{{ bos_token }}{% for message in messages %}{{ '<|START_OF_TURN_TOKEN|><|USER_TOKEN|>' + message['content'] + '<|END_OF_TURN_TOKEN|>' }}{% endfor %}"
             "{% if add_generation_prompt %}{{ '<|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>' }}{% endif %}")
PHI4 = ("{% for message in messages %}{{ '<|im_start|>' + message['role'] + '<|im_sep|>' + message['content'] + '<|im_end|>' }}{% endfor %}"
        "{% if add_generation_prompt %}{{ '<|im_start|>assistant<|im_sep|>' }}{% endif %}")
SYSTEM = "Answer from the document."

CASES = [  # name, row, template, whether it takes a system message, what else it is given
    ("chatml", "chatml", CHATML, True, {}),
    ("smollm2", "chatml", CHATML_DEFAULT, True, {}),
    ("qwen2.5", "chatml", QWEN25, True, {}),
    ("internlm2", "chatml", "{{ bos_token }}" + CHATML, True, {}),
    ("qwen3", "qwen-nothink", QWEN3, True, {"enable_thinking": False}),
    ("qwen3-thinking", "qwen-think", QWEN3_THINKING, True, {}),
    ("llama-2", "llama-2", LLAMA2, True, {}),
    ("llama-3", "llama-3", LLAMA3, True, {}),
    ("llama-3.1", "llama-3.1", LLAMA31, True, {}),
    ("mistral-v1", "mistral-v1", MISTRAL1, False, {}),
    ("mistral-v1-system", "mistral-v1", mistral_joined("[INST] ", " [/INST]"), True, {}),
    ("mistral-v3", "mistral-v3", mistral_joined("[INST] ", "[/INST]"), True, {}),
    ("mistral-v3-tekken", "mistral-v3-tekken", mistral_joined("[INST]", "[/INST]"), True, {}),
    ("mistral-v7", "mistral-v7", mistral_7(" "), True, {}),
    ("mistral-v7-tekken", "mistral-v7-tekken", mistral_7(""), True, {}),
    ("zephyr", "zephyr", ZEPHYR, True, {}),
    ("phi-3", "phi-3", PHI3, True, {}),
    ("gemma-2", "gemma", GEMMA2, False, {}),
    ("gemma-3", "gemma", GEMMA3, True, {}),
    ("command-r", "-", COMMAND_R, False, {}),
    ("phi-4", "-", PHI4, True, {}),
]


def escape(s):
    return s.replace("\\", "\\\\").replace("\n", "\\n")


def fail(message):
    raise jinja2.TemplateError(message)


def default_of(template):
    return next((s for s in ("You are a helpful AI assistant named SmolLM, trained by Hugging Face",
                             "You are Qwen, created by Alibaba Cloud. You are a helpful assistant.") if s in template), "")


def main():
    env = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True)
    env.globals["raise_exception"] = fail
    for name, row, template, takes_system, more in CASES:
        for system in ["", SYSTEM] if takes_system else [""]:
            messages = [{"role": "system", "content": system}] if system else []
            messages.append({"role": "user", "content": "The document.\n\nThe question?"})
            prompt = env.from_string(template).render(messages=messages, add_generation_prompt=True, bos_token="", eos_token="</s>", **more)
            sys.stdout.write("\n".join([name, row, system, default_of(template), escape(template), escape(prompt)]) + "\n")


main()
